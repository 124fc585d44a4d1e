import assert from 'node:assert/strict';

// Seed 1, part 一 在线召回. Each number stands with the sentence that it comes from.

/** "当前默认卡路 Q1×M2、Q2×M4 各取前 20" */
export const PER_ROUTE_MAX = 20;
/** "关系库关闭时卡路默认各 25、并集最多 50" */
export const PER_ROUTE_MAX_ALONE = 25;
export const POOL_MAX_ALONE = 50;
/** "加关系库按 Q1 取出的五条" */
export const RELATION_MAX = 5;
/** "上界 45" */
export const POOL_MAX = 45;
/** "Q2 是最近三条 done 消息加当前消息" */
export const CONTEXT_MESSAGES = 3;
/** "Q2 各条最多 400 字符". Code points. */
export const CONTEXT_MESSAGE_CHARS_MAX = 400;
/** "仓内调度配置每天 UTC 22:00、北京时间次日 06:00 处理昨日材料": a card of day d can be seen from 06:00 of d+1. */
export const NIGHTLY_CLOCK = '06:00';

assert.equal(2 * PER_ROUTE_MAX + RELATION_MAX, POOL_MAX);
assert.equal(2 * PER_ROUTE_MAX_ALONE, POOL_MAX_ALONE);
