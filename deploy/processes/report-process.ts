import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { compareSecret, type SecretComparison } from '#api/accounts/secrets/shared-secrets.ts';
import type { Database } from '#api/postgres/database.ts';
import { clockSkewMs, deleteProcessReport, putProcessReport } from '#api/telemetry/processes/process-reports.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { Config } from '../config.ts';
import type { PlatformSecrets } from '../platform-secrets.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ReportProcessDeps {
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Pick<Logger, 'warn'>;
  readonly database: Database;
  /** Undefined for a process without secrets. */
  readonly secrets?: PlatformSecrets | undefined;
}

/** `trapline doctor --cluster` reports a process as silent after three missed reports. */
const EVERY_MS = 60_000;
/** Maximum time that a stopping process waits for PostgreSQL. */
const MAX_FAREWELL_MS = 2_000;

/**
 * Writes the state of this process to PostgreSQL once a minute until it stops. A failed report is retried a minute
 * later.
 */
export function reportProcess(role: 'start' | 'api' | 'ingest' | 'worker', deps: ReportProcessDeps): Promise<void> {
  const { config, lifecycle, log, database } = deps;
  return lifecycle.start('process report', async () => {
    const id = randomUUID();
    const name = config.seat ?? `${hostname()}:${process.pid}`;
    const ended = new AbortController();
    const report = async () => {
      const [skew, secrets, freeDiskShare] = await Promise.all([
        clockSkewMs(database),
        comparisons(database, deps.secrets),
        freeShareOf(config.dataDir),
      ]);
      await putProcessReport(database, {
        id,
        role,
        name,
        version: PRODUCT_VERSION,
        clockSkewMs: skew,
        secrets,
        freeDiskShare,
      });
    };
    const reporting = (async () => {
      while (!ended.signal.aborted) {
        await report().catch((err: unknown) => log.warn({ err }, 'cannot report this process to PostgreSQL'));
        await delay(EVERY_MS, undefined, { signal: ended.signal }).catch(() => {}); // On abort, the loop ends.
      }
    })();
    return {
      value: undefined,
      async stop() {
        ended.abort();
        // If it fails, doctor reports the process as silent.
        const farewell = reporting.then(() => deleteProcessReport(database, id)).catch(() => {});
        await Promise.race([farewell, delay(MAX_FAREWELL_MS, undefined, { ref: false })]);
      },
    };
  });
}

async function comparisons(
  database: Database,
  secrets: PlatformSecrets | undefined,
): Promise<Record<string, SecretComparison>> {
  if (secrets === undefined) return {};
  const [auth, jwt] = await Promise.all([
    compareSecret(database, { name: 'AUTH_SECRET', values: secrets.auth }),
    compareSecret(database, { name: 'JWT_SECRET', values: secrets.jwt }),
  ]);
  return { AUTH_SECRET: auth, JWT_SECRET: jwt };
}

async function freeShareOf(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, blocks }) => bavail / blocks,
    () => null,
  );
}
