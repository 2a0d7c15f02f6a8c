import { expect, test } from 'vitest';
import type { RequestOutcome } from '#api/http/plugins/request-end.ts';
import { runApp } from '#test/api/running-app.ts';
import { waitFor } from '#test/support/wait-for.ts';

test('a listener that throws affects neither the server nor other listeners', async () => {
  const heard: RequestOutcome[] = [];
  const { get } = await runApp({
    prepare(app) {
      app.onRequestEnd(() => {
        throw new TypeError('of a listener');
      });
      app.onRequestEnd((_, outcome) => heard.push(outcome));
    },
  });
  await get('/api/rules');
  await get('/healthz');
  const [, second] = await waitFor('two requests', () => heard.length === 2 && heard);
  expect(second).toMatchObject({ status: 200 });
});
