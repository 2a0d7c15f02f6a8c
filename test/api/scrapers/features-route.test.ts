import { describe, expect, test } from 'vitest';
import { featuresRoute } from '#api/scrapers/features-route.ts';
import type { Scraper } from '#api/scrapers/scraper.ts';
import { SCRAPERS } from '#api/scrapers/scrapers.ts';
import { runApp } from '#test/api/running-app.ts';

describe('GET /api/features', () => {
  test('lists every scraper, to anyone', async () => {
    const app = await runApp({ prepare: (server) => featuresRoute(server, { scrapers: SCRAPERS }) });
    const response = await fetch(`${app.url}/api/features`);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: object[] };
    expect(data).toHaveLength(SCRAPERS.length);
    expect(data[0]).toEqual({
      id: 'codehost.user',
      method: 'GET',
      path: '/api/codehost/user',
      cacheSeconds: 600,
      description: expect.any(String),
      parameters: [expect.objectContaining({ name: 'username', in: 'query', required: true })],
    });
  });

  test('builds the catalogue once a minute at most', async () => {
    let now = 0;
    let made = 0;
    const scrapers: Scraper[] = [...SCRAPERS];
    const counting = new Proxy(scrapers, {
      get(target, property, receiver) {
        if (property === 'map') made += 1;
        return Reflect.get(target, property, receiver);
      },
    });
    const app = await runApp({
      prepare: (server) => featuresRoute(server, { scrapers: counting, now: () => now }),
    });
    for (const at of [0, 1, 59_999]) {
      now = at;
      await app.get('/api/features');
    }
    expect(made).toBe(1);
    now = 60_000;
    await app.get('/api/features');
    expect(made).toBe(2);
  });
});
