import { expect, test } from 'vitest';
import { ADMIN_KEY, OPERATOR_KEY, operatorGuard, runApp } from '#test/api/running-app.ts';

test('the admin key permits reading the metrics', async () => {
  const { url } = await runApp();
  const response = await fetch(`${url}/api/prometheus`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(await response.text()).toContain('trapline_http_requests_in_flight');
});

test.each([
  ['nothing', {}],
  ['another key', { 'x-admin-key': `${ADMIN_KEY}x` }],
  ['an empty key', { 'x-admin-key': '' }],
  ['the operator key', { 'x-api-key': OPERATOR_KEY }],
])('%s does not', async (_, headers) => {
  const { url } = await runApp();
  expect((await fetch(`${url}/api/prometheus`, { headers: headers as Record<string, string> })).status).toBe(401);
});

test.each([{}, { 'x-admin-key': '' }, { 'x-admin-key': 'undefined' }])(
  'without an admin key nothing does: %j',
  async (headers) => {
    const { url } = await runApp({ deps: { guard: { ...operatorGuard(), adminKey: undefined } } });
    expect((await fetch(`${url}/api/prometheus`, { headers: headers as Record<string, string> })).status).toBe(401);
  },
);
