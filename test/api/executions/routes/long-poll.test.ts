import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY } from '../../running-app.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { strictly } from './strict-client.ts';

let app: WorkflowApp;
let databaseUrl: string;
beforeAll(async () => {
  const { url } = await usePostgres();
  databaseUrl = url;
  app = await runWorkflowApp(url);
  const yamlContent = yamlOf({ a: { set: { x: 1 } } }, {}, 'held');
  const put = await app.operator('PUT', '/api/v1/workflows/held', { yamlContent });
  expect(put.status).toBe(200);
});
afterAll(() => app.end());

/** Sends a raw request on its own connection and collects the response. */
function open(
  port: number,
  method: string,
  path: string,
): { socket: Socket; text: () => string; closed: Promise<void> } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()));
  const length = method === 'POST' ? 'content-length: 0\r\n' : '';
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${OPERATOR_KEY}\r\n${length}\r\n`);
  return { socket, text: () => text, closed };
}

/** Ends an execution directly in the database, as a worker would. */
async function complete(id: string): Promise<void> {
  await sql`UPDATE executions SET status = 'running', lease_until = now() + interval '8 s', started_at = now() WHERE id = ${id}`.execute(
    app.database,
  );
  await sql`UPDATE executions SET status = 'completed', lease_until = NULL, completed_at = now(), result = '{"by":"hand"}' WHERE id = ${id}`.execute(
    app.database,
  );
}

const connections = async () =>
  (
    await sql<{
      count: number;
    }>`SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`.execute(
      app.database,
    )
  ).rows[0]?.count ?? 0;

test('200 held connections use no database connection; half of them drop, the other half get their answer, and nothing remains', async () => {
  const held = Array.from({ length: 200 }, () =>
    open(app.port, 'POST', '/api/v1/workflows/held/run?wait_for_completion=50'),
  );
  await waitFor('all to be held', () => app.watch.watched === 200);
  await waitFor('all heads', () => held.every(({ text }) => text().startsWith('HTTP/1.1 201')));
  // The pool of the app, the pool of this test, and one connection that listens.
  expect(await connections()).toBeLessThanOrEqual(12);
  // Other requests are served at the same time.
  const { status } = await app.operator('GET', '/api/v1/workflows/held');
  expect(status).toBe(200);

  for (const { socket } of held.slice(0, 100)) socket.destroy();
  await waitFor('those who went to be forgotten', () => app.watch.watched === 100);
  const ids = (await app.database.selectFrom('executions').select('id').execute()).map(({ id }) => id);
  for (const id of ids) await complete(id);
  await waitFor('the others to be answered', () =>
    held.slice(100).every(({ text }) => text().includes('"result":{"by":"hand"}')),
  );
  expect(app.watch.watched).toBe(0);
  for (const { socket } of held) socket.destroy();
});

test('stopping the server returns only the id to held requests', async () => {
  const other = await runWorkflowApp(databaseUrl, { listen: false });
  const { socket, text, closed } = open(other.port, 'POST', '/api/v1/workflows/held/run?wait_for_completion=50');
  await waitFor('it to be held', () => other.watch.watched === 1);
  await other.end();
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 201 /);
  expect(text()).toMatch(/\{"executionId":"exec_\w+"\}/);
  socket.destroy();
});

test('returns the id of a run immediately beyond the maximum of held requests', async () => {
  const small = await runWorkflowApp(databaseUrl, { runLimits: { held: 1 } });
  const first = open(small.port, 'POST', '/api/v1/workflows/held/run?wait_for_completion=50');
  await waitFor('it to be held', () => small.watch.watched === 1);
  strictly('accepted', await small.operator('POST', '/api/v1/workflows/held/run?wait_for_completion=50', {}));
  first.socket.destroy();
  await waitFor('the place to be free', () => small.watch.watched === 0);
  await small.end();
});

test('detects the end without a notification, by polling once a second', async () => {
  const deaf = await runWorkflowApp(databaseUrl, { listen: false });
  const waiting = deaf.operator('POST', '/api/v1/workflows/held/run?wait_for_completion=50', {});
  await waitFor('it to be held', () => deaf.watch.watched === 1);
  const { id } = await app.database
    .selectFrom('executions')
    .select('id')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await complete(id);
  expect(strictly('finished', await waiting)).toMatchObject({ executionId: id, status: 'completed' });
  await deaf.end();
});
