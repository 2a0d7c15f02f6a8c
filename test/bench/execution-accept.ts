import { loadavg } from 'node:os';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { insertUser } from '#api/accounts/tables/users.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { startTrapline } from '../support/trapline-process.ts';
import { withApiProcess } from './api-process.ts';
import { PROGRAM_ENV, PROGRAM_OPTIONS } from './as-program.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { loadHttp } from './http-load.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const PER_SECOND = 100;
const CONNECTIONS = 16;
const WARM_UP_MS = 3_000;
const TURN_MS = 8_000;
const AT_MOST_MS = 25;
/** An address may send 100 requests per minute. */
const REQUESTS_OF_AN_ADDRESS = 50;
const ORIGIN = { ip: '127.0.0.1', userAgent: 'bench', requestId: 'bench' };
const BODY = JSON.stringify({ input: { host: 'web-1' } });
const WORKFLOW = JSON.stringify({
  document: { dsl: '1.0.0', namespace: 'bench', name: 'three', version: '1.0.0' },
  do: ['first', 'second', 'third'].map((name) => ({ [name]: { set: { done: name } } })),
});

/** Response time of an endpoint that uses no store: separates the p99 of a busy machine from ours. */
const BARE = {
  request: () => 'GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n',
  connections: CONNECTIONS,
  durationMs: TURN_MS,
  perSecond: PER_SECOND,
};

interface Turn {
  readonly runs: readonly number[];
  readonly bare: readonly number[];
  readonly load: number;
}

/**
 * Measures the time from an HTTP request for a run to its 201 response. `trapline api` and `trapline worker` run as
 * processes and execute accepted runs at the same time.
 */
export async function benchExecutionAccept({
  clickHouse,
  rounds,
}: Pick<BenchContext, 'clickHouse' | 'rounds'>): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, ({ database }) =>
    withApiProcess(
      clickHouse,
      database,
      async ({ url, stores }) => {
        const worker = await startTrapline(['worker'], { ...PROGRAM_ENV, ...stores }, undefined, PROGRAM_OPTIONS);
        try {
          await worker.logged('worker is running');
          return [await measure(url, await issueKey(stores.DATABASE_URL), rounds)];
        } finally {
          await worker.endAll();
        }
      },
      { TRUSTED_PROXIES: '127.0.0.1' },
    ),
  );
}

async function measure(url: string, apiKey: string, rounds: number): Promise<BenchRow> {
  const id = await release(url, apiKey);
  let sent = 0;
  const request = () => {
    const client = Math.floor(sent++ / REQUESTS_OF_AN_ADDRESS);
    const address = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    return [
      `POST /api/v1/workflows/${id}/run HTTP/1.1`,
      'host: bench',
      `x-forwarded-for: ${address}`,
      `authorization: Bearer ${apiKey}`,
      'content-type: application/json',
      `content-length: ${BODY.length}`,
      '',
      BODY,
    ].join('\r\n');
  };
  const port = Number(new URL(url).port);
  const load = (durationMs: number) =>
    loadHttp({ port, request, connections: CONNECTIONS, durationMs, perSecond: PER_SECOND, status: 201 });
  await load(WARM_UP_MS);
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [runs, bare] = await Promise.all([load(TURN_MS), loadHttp({ ...BARE, port })]);
    turns.push({ runs: runs.latencies, bare: bare.latencies, load: loadavg()[0] ?? 0 });
  }
  return {
    ...boundRow(
      `executions: POST run until its 201 at ${PER_SECOND}/s, p99`,
      'ms',
      median(turns.map(({ runs }) => percentile(runs, 0.99))),
      AT_MOST_MS,
    ),
    details: turns.map(
      (turn) =>
        `median ${median(turn.runs).toFixed(1)} ms, p99 ${percentile(turn.runs, 0.99).toFixed(1)} ms; /healthz at the same time: ${median(turn.bare).toFixed(1)} and ${percentile(turn.bare, 0.99).toFixed(1)} ms, load ${turn.load.toFixed(1)}`,
    ),
  };
}

async function release(url: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/workflows/bench-three`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ yamlContent: WORKFLOW }),
  });
  if (!answer.ok) throw new Error(`the workflow was refused: ${await answer.text()}`);
  const { workflow } = (await answer.json()) as { readonly workflow: { readonly id: string } };
  return workflow.id;
}

async function issueKey(databaseUrl: string): Promise<string> {
  const database = createDatabase({ url: databaseUrl });
  try {
    const issue = createKeyIssue({ database, audit: createAudit(), ...createKeyMaking({ hasher: createHasher() }) });
    const user = await insertUser(database, {
      username: 'bench',
      email: 'bench@example.org',
      passwordHash: null,
      emailVerified: true,
    });
    const { apiKey } = await issue({ userId: user.id, label: 'bench' }, { actor: 'system', origin: ORIGIN });
    return apiKey;
  } finally {
    await database.destroy();
  }
}
