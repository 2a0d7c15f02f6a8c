import { expect, test } from 'vitest';
import { type Description, examine } from './description.ts';
import { ADMIN_KEY, operatorGuard, runApp } from './running-app.ts';

test('every route is described: what it does, who may call it, what it answers', async () => {
  const { app, url } = await runApp();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(response.status).toBe(200);
  const description = (await response.json()) as Description;
  expect(description.openapi).toBe('3.0.3');
  expect(Object.keys(description.components.securitySchemes)).toEqual(['key', 'bearer', 'session', 'adminKey']);
  const { names, wrong } = examine(description);
  expect(wrong).toEqual([]);
  const routes = app.printRoutes({ commonPrefix: false }).match(/\(GET|\(POST|\(PUT|\(PATCH|\(DELETE/g) ?? [];
  expect(names.length).toBeGreaterThanOrEqual(routes.length);
});

test('the description is refused without the admin key, and with a wrong one', async () => {
  const { url } = await runApp();
  expect((await fetch(`${url}/api/docs`)).status).toBe(401);
  expect((await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': `${ADMIN_KEY}x` } })).status).toBe(401);
});

test('the description fails closed when no admin key is configured', async () => {
  const { url } = await runApp({ deps: { guard: { ...operatorGuard(), adminKey: undefined } } });
  for (const key of ['', 'undefined', ADMIN_KEY])
    expect((await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': key } })).status).toBe(401);
});
