import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Description, examine } from './description.ts';
import { ADMIN_KEY, operatorGuard, runApp } from './running-app.ts';

test('every route describes its purpose, access and responses', async () => {
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

test('rejects the description without or with a wrong admin key', async () => {
  const { url } = await runApp();
  expect((await fetch(`${url}/api/docs`)).status).toBe(401);
  expect((await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': `${ADMIN_KEY}x` } })).status).toBe(401);
});

test('rejects the description if no admin key is configured', async () => {
  const { url } = await runApp({ deps: { guard: { ...operatorGuard(), adminKey: undefined } } });
  for (const key of ['', 'undefined', ADMIN_KEY])
    expect((await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': key } })).status).toBe(401);
});

test('anyone can read the description of client routes, without administration', async () => {
  const { url } = await runApp();
  const response = await fetch(`${url}/api/openapi.json`);
  expect(response.status).toBe(200);
  const text = await response.text();
  const { info, servers, paths, components } = JSON.parse(text) as Description & {
    info: { version: string };
    servers: unknown[];
  };
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(info.version).toBe(version);
  expect(servers).toHaveLength(1);
  expect(Object.keys(paths)).toContain('/api/detections');
  expect(Object.keys(components.securitySchemes)).toEqual(['key', 'bearer', 'session']);
  expect(text).not.toMatch(/adminKey|role admin|admin key/);
  const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  expect([...referred].sort()).toEqual(Object.keys(components.schemas).sort());
});

test('only JSON responses have the JSON schema of a list', async () => {
  const { url } = await runApp();
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as Description;
  const { content } = paths['/api/detections']?.get?.responses[200] ?? {};
  expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/ListDetectionsResponse' });
  for (const type of ['text/csv', 'application/x-ndjson', 'text/plain'])
    expect(content?.[type]?.schema).toMatchObject({ type: 'string' });
});
