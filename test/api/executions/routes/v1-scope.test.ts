import { expect, test } from 'vitest';
import { asV1, v1Scope } from '#api/executions/routes/v1-scope.ts';
import { type ApiError, apiError } from '#api/http/api-error.ts';
import { SharedStateUnavailable } from '#api/shared-state/port.ts';
import { runApp } from '../../running-app.ts';
import { errorBody } from './strict-client.ts';

test('every rejection code has a status and a code that clients of /api/v1 know', () => {
  for (const code of [
    'conflict',
    'precondition_failed',
    'not_acceptable',
    'payload_too_large',
    'unsupported_media_type',
  ] as const) {
    const mapped = asV1(apiError(code, 'no', 'x')) as ApiError;
    expect([mapped.statusCode, mapped.issues]).toEqual([
      400,
      [{ field: 'x', message: 'no', code: 'invalid_value', severity: 'error' }],
    ]);
  }
  for (const code of ['required', 'unauthorized', 'forbidden', 'not_found', 'rate_limited'] as const) {
    const error = apiError(code, 'no');
    expect(asV1(error)).toBe(error);
  }
  for (const code of ['unavailable', 'upstream_failed'] as const) {
    const error = apiError(code, 'no', undefined, { 'retry-after': '5' });
    const mapped = asV1(error) as ApiError;
    expect([mapped.statusCode, mapped.headers, mapped.issues[0]?.code]).toEqual([
      error.statusCode,
      error.headers,
      'internal',
    ]);
  }
});

test('an unavailable store is a 503 to be retried; an unknown error is a 500 without its message', async () => {
  const failures: Record<string, unknown> = {
    database: Object.assign(new Error('secret host is unavailable'), { code: 'ECONNREFUSED' }),
    redis: new SharedStateUnavailable('secret host is unavailable'),
    bug: new TypeError('secret of the house'),
    large: Object.assign(new Error('too large'), { statusCode: 413, code: 'FST_REQ_FILE_TOO_LARGE' }),
  };
  const { get } = await runApp({
    prepare: (app) =>
      void v1Scope(app, (scope) => {
        scope.get('/api/v1/failing/:how', { config: { access: { by: 'admin' } } }, async ({ params }) => {
          throw failures[(params as { how: string }).how];
        });
      }),
  });
  const statuses: Record<string, number> = {};
  for (const how of Object.keys(failures)) {
    const response = await get(`/api/v1/failing/${how}`);
    const text = await response.text();
    errorBody.parse(JSON.parse(text));
    expect(text).not.toContain('secret');
    statuses[how] = response.status;
    if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(statuses).toEqual({ database: 503, redis: 503, bug: 500, large: 400 });
});
