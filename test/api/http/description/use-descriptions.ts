import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';

const ADMIN_KEY = 'admin-key-of-the-description-tests-0123';

/** The OpenAPI descriptions that a server serves, as text: of all routes, and of the routes that clients use. */
export interface Descriptions {
  readonly all: string;
  readonly ofClients: string;
}

/** Call it with `await` at the top of a test file. */
export async function useDescriptions(): Promise<Descriptions> {
  const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres()]);
  const served = { all: '', ofClients: '' };
  let server: TraplineProcess;
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
    served.all = await (await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } })).text();
    served.ofClients = await (await fetch(`${url}/api/openapi.json`)).text();
  });
  afterAll(() => server?.endAll());
  return served;
}
