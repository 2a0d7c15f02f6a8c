import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { doubledReferences } from '../api/executions/json-schema/doubled-references.ts';

/** Runs a `trapline api` and a `trapline worker` while workflows try to freeze them or to exhaust their memory. */

const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres()]);
const MIB = 1024 * 1024;
const HEAD = 'document: { dsl: 1.0.0, namespace: test, name: test, version: 1.0.0 }';

let home: string;
let env: Record<string, string>;
let api: { process: TraplineProcess; url: string; pid: number };
let worker: { process: TraplineProcess; url: string; pid: number };
let key: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-attacks-'));
  env = {
    DATABASE_URL: postgres.url,
    ...sharedSecrets(),
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CLICKHOUSE_DATABASE: clickhouse.database,
  };
  api = await start('api', 'one');
  worker = await start('worker', 'two');
  key = (await readFile(path.join(home, 'one', 'operator.key'), 'utf8')).trim();
});

afterAll(async () => {
  await Promise.all([api?.process.endAll(), worker?.process.endAll()]);
  await removeHome(home);
});

async function start(role: 'api' | 'worker', name: string) {
  const process = await startTrapline([role], { ...env, TRAPLINE_DATA_DIR: path.join(home, name) });
  const { url, pid } = JSON.parse(await process.logged(`${role} is running`)) as { url: string; pid: number };
  return { process, url, pid };
}

async function call<T>(method: string, target: string, body?: unknown): Promise<{ status: number; body: T }> {
  const response = await fetch(`${api.url}${target}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** Releases a workflow with these tasks. Resolves to the response. */
const release = (slug: string, rest: string) =>
  call<{ issues?: { message: string; line?: number; path?: unknown[] }[] }>('PUT', `/api/v1/workflows/${slug}`, {
    yamlContent: `${HEAD}\n${rest}`,
  });

async function run(slug: string, input: unknown, version = 'latest'): Promise<string> {
  const { status, body } = await call<{ executionId: string }>(
    'POST',
    `/api/v1/workflows/${slug}/run?version=${version}`,
    {
      input,
    },
  );
  if (status !== 201) throw new Error(`${slug}: ${status} ${JSON.stringify(body)}`);
  return body.executionId;
}

interface Ended {
  readonly status: string;
  readonly error?: string;
}
const ended = (id: string) =>
  waitFor(`${id} to end`, async () => {
    const { body } = await call<Ended>('GET', `/api/v1/workflows/executions/${id}`);
    return ['completed', 'failed', 'cancelled', 'rejected'].includes(body.status) && body;
  });

/** Returns the peak resident memory of a process, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

const objectOfTen = `{ ${[...'abcdefghij'].map((name) => `${name}: '\${ . }'`).join(', ')} }`;
/** Expected errors of the attacks, in their order. */
const EXPECTED = [/larger than|made of more than/, /larger than/, /too long to check/, /too long to check/];
const deep = Array.from({ length: 60 }).reduce<object>((next) => ({ next }), {});

test('under attack both keep responding, use little memory, and serve others', async () => {
  const released = await Promise.all([
    release('harmless', 'do: [ { a: { set: { hello: world } } } ]'),
    release('doubling', `do:\n${Array.from({ length: 7 }, (_, at) => `- t${at}: { set: ${objectOfTen} }`).join('\n')}`),
    release(
      'text',
      `do:\n${Array.from({ length: 10 }, (_, at) => `- t${at}: { set: { x: '${'${ .x }'.repeat(10)}' } }`).join('\n')}`,
    ),
    release(
      'recursion',
      'input: { schema: { document: { properties: { next: { allOf: [ { $ref: "#" }, { $ref: "#" } ] } } } } }\ndo: [ { a: { set: { x: 1 } } } ]',
    ),
    release(
      'pattern',
      'input: { schema: { document: { pattern: "^a*a*a*a*a*a*b$" } } }\ndo: [ { a: { set: { x: 1 } } } ]',
    ),
  ]);
  expect(released.map(({ status }) => status)).toEqual(released.map(() => 200));

  // Sends requests during the attack. All of them must be answered.
  let asking = true;
  const answers: (number | string)[] = [];
  const asked = [api, worker].map(async ({ url }) => {
    while (asking)
      answers.push(
        await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(30_000) }).then(
          async (response) => response.arrayBuffer().then(() => response.status),
          (error: Error) => error.message,
        ),
      );
  });
  onTestFinished(async () => {
    asking = false;
    await Promise.all(asked);
  });
  const attacks = await Promise.all(
    Array.from({ length: 3 }).flatMap(() => [
      run('doubling', { x: 'x'.repeat(1_000) }),
      run('text', { x: 'x'.repeat(1_000) }),
      run('recursion', deep),
      run('pattern', 'a'.repeat(5_000)),
    ]),
  );
  expect(await ended(await run('harmless', {}))).toMatchObject({ status: 'completed' });
  for (const [at, id] of attacks.entries())
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(EXPECTED[at % EXPECTED.length] ?? ''),
    });
  asking = false;
  await Promise.all(asked);
  expect(new Set(answers)).toEqual(new Set([200]));
  for (const { pid } of [api, worker]) expect(await peakOf(pid)).toBeLessThan(1024 * MIB);
});

test('a schema stored before the limits fails its executions, also after a restart', async () => {
  const schema = JSON.stringify(doubledReferences(60));
  const refused = await release(
    'doubled',
    `input:\n  schema:\n    document: ${schema}\ndo: [ { a: { set: { x: 1 } } } ]`,
  );
  expect(refused).toMatchObject({
    status: 400,
    body: { issues: [{ message: expect.stringContaining('more than 10000 subschemas') }] },
  });

  await release('doubled', 'do: [ { a: { set: { x: 1 } } } ]');
  const database = createDatabase({ url: postgres.url });
  await sql`
    INSERT INTO workflow_versions (id, workflow_id, number, tag, yaml_content, definition, content_hash, created_by)
    SELECT 'wfh_' || repeat('x', 20), v.workflow_id, 99, 'old', v.yaml_content,
      v.definition || ${JSON.stringify({ input: { schema: { document: doubledReferences(60) } } })}::jsonb, v.content_hash, v.created_by
    FROM workflow_versions AS v JOIN workflows AS w ON w.current_version_id = v.id WHERE w.slug = 'doubled'`.execute(
    database,
  );
  await database.destroy();
  // The executions are accepted while no worker runs. The next worker finds them when it starts.
  await worker.process.stop();
  const ids = await Promise.all(Array.from({ length: 5 }, () => run('doubled', {}, 'old')));
  worker = await start('worker', 'two');
  for (const id of ids)
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the schema of the input: with all references followed'),
    });
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
});
