import { expect, test } from 'vitest';
import { borrowServices } from './kept-services.ts';
import { serveServices } from './services-server.ts';

test('a run uses kept services, and leaves them running', async () => {
  let stopped = false;
  const redis = { url: 'redis://127.0.0.1:1' };
  const kept = await serveServices({
    get: () => Promise.resolve(redis as never),
    stop: async () => {
      stopped = true;
    },
  });
  const services = borrowServices(kept.url);
  expect(await services.get('redis')).toEqual(redis);
  await services.stop();
  expect(stopped).toBe(false);
  await kept.close();
});
