import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Document } from '#api/http/description/document.ts';
import { referencePage } from '#api/http/description/reference.ts';
import { generateTypes } from '#dashboards/console/build/generate-types.ts';
import { lintErrors } from '#test/support/services/openapi-linters.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';

/** What is made of the OpenAPI descriptions that a server serves: one server is enough for all of it. */

const ADMIN_KEY = 'admin-key-of-the-description-tests-0123';
/** The linters are installed from npm the first time. */
const INSTALL_MS = 300_000;
const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres()]);
let server: TraplineProcess;
/** Of every route, and of the routes that clients use. */
let all: string;
let ofClients: string;

beforeAll(async () => {
  server = await startTrapline(['start', '--no-demo'], {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CLICKHOUSE_DATABASE: clickhouse.database,
    ADMIN_KEY,
  });
  await server.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(server.dataDir, 'server.json'), 'utf8')) as { url: string };
  all = await (await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } })).text();
  ofClients = await (await fetch(`${url}/api/openapi.json`)).text();
});
afterAll(() => server?.endAll());

test('docs/reference/http-api.md is the reference of the API as it is', async () => {
  // With -u the page is written again.
  await expect(referencePage(JSON.parse(ofClients) as Document)).toMatchFileSnapshot(
    '../../../../docs/reference/http-api.md',
  );
});

test('the types of the console are those of the API as it is', async () => {
  const types = await generateTypes(JSON.parse(all) as Parameters<typeof generateTypes>[0]);
  await expect(types).toMatchFileSnapshot('../../../../dashboards/console/src/api/schema.d.ts');
});

test(
  'redocly and spectral find no error in the descriptions, and one in a description that has one',
  async () => {
    const response = { 200: { description: 'Found' } };
    const paths = { '/a/{id}': { get: { responses: response } } };
    const wrong = { openapi: '3.0.3', info: { title: 'Wrong', version: '1' }, paths };
    const errors = await lintErrors({ all, ofClients, wrong: JSON.stringify(wrong) });
    expect(errors.filter(({ description }) => description !== 'wrong')).toEqual([]);
    expect([...new Set(errors.map(({ linter }) => linter))].sort()).toEqual(['redocly', 'spectral']);
  },
  INSTALL_MS,
);
