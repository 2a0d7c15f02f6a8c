import { expect, test } from 'vitest';
import { judgeResponse } from '#api/scrapers/judge-response.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const judge = (status: number, headers: Record<string, string> = {}) => {
  try {
    return judgeResponse({ status, headers, body: Buffer.alloc(0) }, NOW);
  } catch (error) {
    return error;
  }
};

test.each([[200], [201], [299]])('%i is a result', (status) => expect(judge(status)).toBe('found'));
test.each([[404], [410]])('%i is an empty result', (status) => expect(judge(status)).toBe('not_found'));

test.each([
  [429, {}, 60_000],
  [429, { 'retry-after': '7' }, 7_000],
  [429, { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
  [429, { 'retry-after': 'soon' }, 60_000],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) }, 90_000],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 90) }, 1_000],
  [403, { 'retry-after': '999999999' }, 3_600_000],
] as const)('%i %j is the quota, for %i ms', (status, headers, retryAfterMs) => {
  expect(judge(status, headers)).toMatchObject({ kind: 'quota', retriable: false, retryAfterMs });
});

test.each([
  [301, false],
  [400, false],
  [401, false],
  [403, false],
  [408, true],
  [451, false],
  [500, true],
  [501, false],
  [502, true],
  [503, true],
  [504, true],
])('%i is a failure; retriable: %s', (status, retriable) => {
  expect(judge(status)).toMatchObject({ kind: 'failed', retriable });
});
