import assert from 'node:assert/strict';

// Seed 1, part 一 数据结构与离线生产. Each number stands with the sentence that it comes from.

/** "切窗最多五条非空用户消息" */
export const WINDOW_USER_MESSAGES_MAX = 5;
/** "相邻重叠两条" */
export const WINDOW_OVERLAP_MESSAGES = 2;
/** "另受 5500 字符预算约束，长材料继续拆子窗". Code points of the rendered window. */
export const WINDOW_CHARS_MAX = 5500;
/** "Claude 每卡最多一拍" */
export const ASSISTANT_BEATS_PER_CARD_MAX = 1;
/** "最多 60 字". Code points. */
export const ASSISTANT_BEAT_CHARS_MAX = 60;
/** "每窗六卡、每卡八拍是提示词要求，程序超量时保留并标警告，并非硬截断" */
export const CARDS_PER_WINDOW_MAX = 6;
export const BEATS_PER_CARD_MAX = 8;

/** Windows between two commits when no language model is called (ours); with one, every window commits by itself. */
export const WINDOWS_PER_COMMIT = 20;

assert.ok(WINDOW_OVERLAP_MESSAGES < WINDOW_USER_MESSAGES_MAX, 'windows must move on');
