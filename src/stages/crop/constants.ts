// Seed 1, part 一 裁卡. Each number stands with the sentence that it comes from.

/** "事件卡裁剪至多 12 拍" */
export const CROP_BEATS_MAX = 12;
/** "规范化长度至少四才参与" */
export const CONTAINED_LENGTH_MIN = 4;
