import type { RequestRecord } from '#api/http/request-record.ts';

/** Within the retention period, whenever the tests run. */
export const NOW_MS = Date.now();

/** The record of an ordinary request of a signed-in user. */
export function requestRecord(over: Partial<RequestRecord> = {}): RequestRecord {
  return {
    timeMs: NOW_MS,
    requestId: '0b0e9d1c-5b1f-4a53-9e0a-2d4f8f6f6a11',
    method: 'GET',
    route: '/api/user/data',
    path: '/api/user/data',
    status: 200,
    durationMs: 1.5,
    ip: '203.0.113.9',
    userAgent: 'curl/8',
    actor: 'user:u-1',
    userId: 'u-1',
    keyId: null,
    bytes: 321,
    scraper: null,
    cache: null,
    ...over,
  };
}
