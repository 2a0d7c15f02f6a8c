import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { unknownMigrations } from '#api/postgres/migrations/migrate.ts';
import { startBalancer } from '#test/support/balancer.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { executionsClient } from '#test/support/executions-client.ts';
import { lastRelease, linkDependencies, unpackRelease } from '#test/support/last-release.ts';
import { useOwnTemporaryFolder } from '#test/support/own-temporary-folder.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { startPostgres } from '#test/support/services/postgres.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { readSoakOptions, soakOptions } from './soak-options.ts';
import { startLoad, WORKFLOW } from './upgrade-load.ts';

/**
 * `npm run soak -- --of upgrade [--requests 60] [--seed 1]`: runs the last release and this checkout on the same Kafka,
 * ClickHouse, PostgreSQL and Redis. Replaces two `api`, two `ingest` and a `worker` of the release one by one with
 * those of the checkout, and then back, while clients send. Exit code 1 if an event was lost or duplicated, a request
 * failed, or an execution did not end exactly once with its result.
 */
/** `requests`: number of requests of each kind between two replacements. */
const { requests: REQUESTS, seed } = soakOptions((args) => readSoakOptions(args, { requests: 60, seed: 1 }));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATABASE = 'upgrade';
const ROLES = ['worker-1', 'ingest-1', 'ingest-2', 'api-1', 'api-2'] as const;
type Name = (typeof ROLES)[number];

const home = await useOwnTemporaryFolder('upgrade');
const release = await lastRelease();
const old = path.join(home, 'release');
await mkdir(old);
await unpackRelease(release, old);
await linkDependencies(old);
const stores = await Promise.all([startKafkaBroker(), startClickHouse(), startPostgres(), startRedis()]);
const [kafka, service, postgres, redis] = stores;
const clickHouse = { ...service, database: DATABASE };
const ports = await freePorts(ROLES.length);
const env = {
  ...sharedSecrets(),
  ...(await clusterSettings(kafka, clickHouse)),
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  TRAPLINE_DATA_DIR: path.join(home, 'data'),
  TRAPLINE_LIMIT_ADDRESS: '99999/1s',
  TRAPLINE_DRAIN_SECONDS: '3',
  TRAPLINE_SESSION_TIMEOUT_MS: '6000',
};
const running = new Map<Name, TraplineProcess>();
const print = (line: string) => void process.stdout.write(`${line}\n`);
const startedAt = performance.now();
let failures: readonly string[] = [];
let problems: string[] = [];
try {
  problems = await upgradeAndBack();
} catch (error) {
  problems = [String(error), ...failures.map((failure) => `failed request: ${failure}`)];
  for (const [name, one] of running) print(`--- ${name}\n${one.output()}`);
} finally {
  await Promise.all([...running.values()].map((one) => one.endAll()));
  await Promise.all(stores.map((store) => store.stop()));
}
for (const problem of problems) print(`PROBLEM ${problem}`);
print(`${problems.length === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function upgradeAndBack(): Promise<string[]> {
  await migrateBy(old);
  for (const name of ROLES) await start(name, old);
  const balancer = await startBalancer([portOf('api-1'), portOf('api-2')]);
  const key = (await readFile(path.join(env.TRAPLINE_DATA_DIR, 'operator.key'), 'utf8')).trim();
  const client = executionsClient(() => balancer.url, key);
  await client.release(
    WORKFLOW,
    'do: [ { pause: { wait: { milliseconds: 500 } } }, { result: { set: { n: "${ .n }" } } } ]',
  );
  const load = startLoad(balancer.url, key, seededRandom(seed));
  failures = load.failures;
  const exits: string[] = [];
  try {
    await load.more(REQUESTS);
    for (const [tree, version] of [
      [ROOT, 'this checkout'],
      [old, release.version],
    ] as const) {
      if (tree === ROOT) await migrateBy(ROOT);
      for (const name of ROLES) {
        await waitFor('all api processes to be ready', () => balancer.ready().length === 2);
        const exit = await stop(name);
        if (exit !== 0) exits.push(`${name} ended with ${exit}`);
        await start(name, tree);
        await load.more(REQUESTS);
        print(
          `${name} is of ${version}: ${load.events.size} events, ${load.executions.size} executions, ${load.reads()} reads, ${load.failures.length} failed`,
        );
      }
    }
  } finally {
    await load.stop();
    await balancer.close();
  }
  const direct = executionsClient(() => `http://127.0.0.1:${portOf('api-1')}`, key);
  return [
    ...exits,
    ...load.failures.map((failure) => `failed request: ${failure}`),
    ...(await migrationProblems()),
    ...(await eventProblems(load.events)),
    ...(await executionProblems(direct, load.executions)),
  ];
}

/** Returns the migrations in the database that the checkout does not have. */
async function migrationProblems(): Promise<string[]> {
  const database = createDatabase({ url: postgres.url, connections: 1 });
  try {
    const unknown = await unknownMigrations(database);
    return unknown.map((name) => `the database has a migration that the checkout does not: ${name}`);
  } finally {
    await database.destroy();
  }
}

async function eventProblems(sent: ReadonlySet<number>): Promise<string[]> {
  const clickhouse = createClickHouse(clickHouse);
  try {
    const stored = async () => {
      const rows = await clickhouse.rows<{ n: string; copies: string }>(
        'count events',
        `SELECT JSONExtractUInt(raw, 'n') AS n, count() AS copies FROM ${clickhouse.table('events')} GROUP BY n`,
      );
      return new Map(rows.map(({ n, copies }) => [Number(n), Number(copies)]));
    };
    const found = await waitFor('all events to land', async () => {
      const now = await stored();
      return now.size >= sent.size ? now : undefined;
    }).catch(stored);
    const [dead] = await clickhouse.rows<{ count: string }>(
      'count dead letters',
      `SELECT count() AS count FROM ${clickhouse.table('dead_letters')}`,
    );
    const lost = [...sent].filter((n) => !found.has(n));
    const doubled = [...found].filter(([n, copies]) => copies > 1 || !sent.has(n));
    return [
      ...(lost.length > 0 ? [`${lost.length} events lost: ${lost.slice(0, 5).join(', ')}`] : []),
      ...(doubled.length > 0
        ? [`${doubled.length} events doubled or never sent: ${doubled.slice(0, 5).join(', ')}`]
        : []),
      ...(dead?.count === '0' ? [] : [`${dead?.count} dead letters`]),
    ];
  } finally {
    await clickhouse.close();
  }
}

async function executionProblems(
  client: ReturnType<typeof executionsClient>,
  accepted: ReadonlyMap<string, number>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [id, n] of accepted) {
    const { status, result } = await client.ended(id);
    if (status !== 'completed' || (result as { n?: unknown } | undefined)?.n !== n)
      found.push(`execution ${id} of ${n}: ${status} with ${JSON.stringify(result)}`);
  }
  const { body } = await client.call<{ total: number }>('GET', `/api/v1/workflows/${WORKFLOW}/executions?limit=1`);
  if (body.total !== accepted.size) found.push(`${body.total} executions exist, ${accepted.size} were accepted`);
  return found;
}

async function migrateBy(tree: string): Promise<void> {
  const migrating = await startTrapline(['migrate'], env, home, [], [], path.join(tree, 'deploy/cli/main.ts'));
  const exit = await migrating.exited;
  if (exit !== 0) throw new Error(`migrate ended with ${exit}:\n${migrating.output()}`);
}

async function start(name: Name, tree: string): Promise<void> {
  const [role = ''] = name.split('-');
  const over = { ...env, PORT: String(portOf(name)), TRAPLINE_SEAT: name };
  const started = await startTrapline([role], over, home, [], [], path.join(tree, 'deploy/cli/main.ts'));
  running.set(name, started);
  await started.logged(`${role} is running`);
}

async function stop(name: Name): Promise<number> {
  const stopping = running.get(name);
  if (stopping === undefined) throw new Error(`${name} does not run`);
  await stopping.stop(60_000);
  await stopping.endAll();
  return stopping.exited;
}

function portOf(name: Name): number {
  return ports[ROLES.indexOf(name)] ?? 0;
}
