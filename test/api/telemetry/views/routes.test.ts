import { describe, expect, test } from 'vitest';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { createCountView } from '#api/telemetry/views/count-view.ts';
import { pageViewsRoute } from '#api/telemetry/views/routes.ts';
import { issuesOf, runApp } from '#test/api/running-app.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();

async function runViews() {
  const countView = createCountView({ database, shared: createMemorySharedState() }, { secret: 'x'.repeat(32) });
  return runApp({ prepare: (app) => pageViewsRoute(app, { countView }) });
}

describe('POST /api/views/index', () => {
  test('returns the page and its views, to anyone', async () => {
    const app = await runViews();
    const body = JSON.stringify({ slug: 'blog/a_page-1.html' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/api/views/index`, { method: 'POST', body, headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ slug: 'blog/a_page-1.html', views: 1 });
  });

  test.each([
    ['nothing', {}],
    ['an empty slug', { slug: '' }],
    ['a long slug', { slug: 'a'.repeat(201) }],
    ['other characters', { slug: 'a b' }],
    ['a line end', { slug: 'a\n' }],
    ['an operator', { slug: { $gt: '' } }],
    ['an unknown field', { slug: 'a', views: 1_000 }],
  ])('rejects %s', async (_name, body) => {
    const app = await runViews();
    const response = await app.post('/api/views/index', JSON.stringify(body));
    expect(response.status).toBe(400);
    expect((await issuesOf(response)).length).toBeGreaterThan(0);
  });

  test('rejects a body that is not JSON', async () => {
    const app = await runViews();
    expect((await app.post('/api/views/index', 'slug=a', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
