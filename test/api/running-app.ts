import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { type AppDeps, type AppOptions, buildApp } from '#api/app.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { SubmittedBatch } from '#api/http/ports.ts';
import { ADMIN_KEY, OPERATOR_KEY, operatorGuard } from './operator-guard.ts';

export { ADMIN_KEY, OPERATOR_KEY, operatorGuard };

export interface AppOfTest {
  readonly deps?: Partial<AppDeps>;
  readonly options?: AppOptions;
  /** Adds routes of the test. */
  readonly prepare?: (app: ApiServer) => void;
}

/** `startApp` for one test: it ends with the test. */
export async function runApp(what: AppOfTest = {}) {
  const running = await startApp(what);
  onTestFinished(() => running.app.close());
  return running;
}

/** The app as production builds it, listening on a free port. What it needs of other rooms takes everything unless given. */
export async function startApp({ deps, options, prepare }: AppOfTest = {}) {
  const submitted: SubmittedBatch[] = [];
  const registry = new Registry();
  const app = await buildApp(
    {
      logger: pino({ level: 'silent' }),
      registry,
      components: {},
      // Nothing listens there: tests that read bring a store.
      clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
      rules: DEFAULT_DETECTION_SETTINGS,
      redrive: async ({ id }) => ({ id, outcome: 'not_found' }),
      guard: operatorGuard(),
      submitEvents: async (batch) => {
        submitted.push(batch);
        return { accepted: batch.items.length, rejected: [], rejectedTotal: 0 };
      },
      ...deps,
    },
    options,
  );
  prepare?.(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    url,
    port,
    submitted,
    /** Texts of the events that were handed on, request by request. */
    texts: () => submitted.map(({ items }) => items.map(({ text }) => text.toString())),
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { headers: { 'x-api-key': OPERATOR_KEY, ...headers } }),
    post: (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        body,
        headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/json', ...headers },
      }),
  };
}

/** The envelope of a refusal, reduced to what tests look at. */
export async function issuesOf(response: Response): Promise<{ field: string; code: string; message: string }[]> {
  const { issues } = (await response.json()) as { issues: { field: string; code: string; message: string }[] };
  return issues;
}
