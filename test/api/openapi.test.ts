import { expect, test } from 'vitest';
import { ADMIN_KEY, operatorGuard, runApp } from './running-app.ts';

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
  parameters?: { name: string; description?: string }[];
}
interface Description {
  openapi: string;
  components: { securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

/** What is wrong with the description of an operation, in words; empty when a client can be written from it. */
function shortcomings(name: string, operation: Operation): string[] {
  const wrong: string[] = [];
  if (!operation.summary) wrong.push(`${name}: no summary`);
  if (!operation.description) wrong.push(`${name}: no description`);
  if (!operation.tags?.length) wrong.push(`${name}: no tag`);
  if (operation.security === undefined) wrong.push(`${name}: does not say who may call it`);
  const statuses = Object.keys(operation.responses);
  if (!statuses.some((status) => status.startsWith('2') || status.startsWith('3') || status === '101'))
    wrong.push(`${name}: no successful answer`);
  if (operation.security?.length && !statuses.includes('401')) wrong.push(`${name}: asks for a key, but has no 401`);
  for (const [status, { description }] of Object.entries(operation.responses))
    if (!description || description === 'Default Response') wrong.push(`${name}: ${status} is not described`);
  for (const parameter of operation.parameters ?? [])
    if (!parameter.description) wrong.push(`${name}: the parameter ${parameter.name} is not described`);
  return wrong;
}

test('every route is described: what it does, who may call it, what it answers', async () => {
  const { app, url } = await runApp();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(response.status).toBe(200);
  const { openapi, paths, components } = (await response.json()) as Description;
  expect(openapi).toBe('3.0.3');
  expect(Object.keys(components.securitySchemes)).toEqual(['key', 'bearer', 'session', 'adminKey']);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  expect(operations.flatMap(([name, operation]) => shortcomings(name, operation))).toEqual([]);
  const routes = app.printRoutes({ commonPrefix: false }).match(/\(GET|\(POST|\(PUT|\(PATCH|\(DELETE/g) ?? [];
  expect(operations.length).toBeGreaterThanOrEqual(routes.length);
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
