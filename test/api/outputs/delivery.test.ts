import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { createDecisionChanges } from '#api/detections/triage/change-decisions.ts';
import { collectMessages } from '#api/outputs/collect.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import type { Detection } from '#schemas/detection.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { makeTopic } from '#test/ingest/kafka/fixture.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { randomName, useKafka, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BY, fresh, journaled, outputsOf, silent } from './fixture.ts';
import { httpReceiver, type Received, syslogServer } from './receivers.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const signingKey = 'a key of the tests, long enough';
const webhook = (url: string, more: object = {}) => ({
  type: 'webhook',
  name: randomName('output'),
  settings: { url },
  secrets: { signingKey },
  ...more,
});
const deliveryOf = ({ body }: Pick<Received, 'body'>) => {
  const { type, detection } = JSON.parse(body) as { type: string; detection: Detection };
  return `${type.slice('detection.'.length)} ${detection.id} ${detection.revision}`;
};
const land = async (detections: readonly Detection[]) => {
  await store.landDetections([...detections]);
  return detections.map(({ id, revision }) => `opened ${id} ${revision}`);
};

beforeEach(async () => {
  await database.deleteFrom('outputs').execute();
  await database.deleteFrom('outputMessages').execute();
});

test('a receiver gets opened, grown and closed detections once each, but no earlier or silenced ones', async () => {
  const receiver = await httpReceiver();
  const outputs = outputsOf(clickhouse, database);
  await land([fresh()]);
  await outputs.make(webhook(receiver.url));
  outputs.start();
  const one = fresh();
  const [opened] = await land([one, fresh({ exception: 'exc_1' })]);
  await waitFor('the opening', () => receiver.taken.length === 1);
  await land([{ ...one, revision: 4 }]);
  await waitFor('the growth', () => receiver.taken.length === 2);
  const change = createDecisionChanges({ clickhouse, database, audit: createAudit(), logger: silent });
  const by = { ...BY, username: null };
  await change([{ id: one.id }], { status: 'closed', verdict: 'true_positive' }, by);
  await waitFor('the closing', () => receiver.taken.length === 3);
  await change([{ id: one.id }], { note: 'seen before' }, by);
  await change([{ id: one.id }], { status: 'new' }, by);
  await change([{ id: one.id }], { status: 'closed', verdict: 'benign' }, by);
  await waitFor('the second closing', () => receiver.taken.length === 4);
  expect(receiver.taken.map(deliveryOf)).toEqual([
    opened,
    `grown ${one.id} 4`,
    `closed ${one.id} 4`,
    `closed ${one.id} 4`,
  ]);
  expect(receiver.taken.slice(2).map(({ body }) => JSON.parse(body).detection)).toMatchObject([
    { status: 'closed', verdict: 'true_positive' },
    { status: 'closed', verdict: 'benign', note: 'seen before' },
  ]);
});

test('resets positions that a process with a wrong clock left in the future', async () => {
  await outputsOf(clickhouse, database).make(webhook('http://127.0.0.1:9'));
  const later = Date.now() + 3_600_000;
  const closings = { beganMs: later, toldMs: later };
  await database
    .updateTable('outputCursors')
    .set({ state: JSON.stringify({ tail: { ...closings, recent: {} }, closings }) })
    .where('name', '=', 'outputs')
    .execute();
  const collect = () => collectMessages({ clickhouse, database }, { againMs: 0 });
  await collect();
  const one = fresh();
  await land([one]);
  const change = createDecisionChanges({ clickhouse, database, audit: createAudit(), logger: silent });
  await change([{ id: one.id }], { status: 'closed', verdict: 'benign' }, { ...BY, username: null });
  let collected = 0;
  await waitFor('the opening and the closing', async () => {
    collected += (await collect()).collected;
    return collected === 2;
  });
});

test('an unavailable receiver gets all deliveries afterwards, in order, once, and does not delay others', async () => {
  const port = await freePort();
  const there = await syslogServer();
  const outputs = outputsOf(clickhouse, database);
  const down = await outputs.make(webhook(`http://127.0.0.1:${port}/hook`));
  const host = '127.0.0.1';
  const syslog = { host, port: there.port, tls: false };
  await outputs.make({ type: 'syslog', name: randomName('output'), settings: syslog });
  const { registry } = outputs.start();
  const all: string[] = [];
  const one = fresh();
  for (let round = 1; round <= 3; round += 1) {
    const batch = Array.from({ length: 40 }, () => fresh());
    all.push(...(await land(batch)));
    await journaled(
      database,
      batch.map(({ id }) => id),
    );
    // If a detection grows while its receiver is unavailable, every revision that was read is delivered.
    await land([{ ...one, revision: round }]);
    all.push(`${round === 1 ? 'opened' : 'grown'} ${one.id} ${round}`);
    await waitFor('the other receiver', () => there.frames.length === round * 41);
  }
  const waiting = await waitFor('a failure', async () => {
    const row = await outputs.rowOf(down.id);
    return row.attempts > 0 && row;
  });
  expect(waiting).toMatchObject({ cursor: down.cursor, delivered: 0 });
  expect(waiting.lastError).not.toBeNull();
  const metrics = await waitFor('the count of what the other one took', async () => {
    const text = await registry.metrics();
    return text.includes('trapline_output_messages_total{type="syslog",outcome="delivered"} 123\n') && text;
  });
  expect(metrics).toMatch(/trapline_output_waiting_messages\{output="output[^"]*",type="webhook"\} 123\n/);
  expect(metrics).toMatch(/trapline_output_waiting_seconds\{output="output[^"]*",type="webhook"\} [\d.]*[1-9]/);
  const back = await httpReceiver(undefined, port);
  await waitFor('all of it', () => back.taken.length >= all.length);
  expect(back.taken.map(deliveryOf).sort()).toEqual(all.sort());
  const journal = await database.selectFrom('outputMessages').selectAll().orderBy('seq').execute();
  const inOrder = journal.map(({ cause, detectionId, revision }) => `${cause} ${detectionId} ${revision}`);
  expect(back.taken.map(deliveryOf)).toEqual(inOrder);
  await waitFor('the note of it', async () => (await outputs.rowOf(down.id)).delivered === all.length);
  expect(await outputs.rowOf(down.id)).toMatchObject({ attempts: 0 });
});

test('a receiver with occasional failures gets each once, in order', async () => {
  let calls = 0;
  const receiver = await httpReceiver(() => {
    calls += 1;
    return { status: calls % 5 === 0 ? 503 : 200 };
  });
  const outputs = outputsOf(clickhouse, database);
  await outputs.make(webhook(receiver.url));
  outputs.start({ maxPauseMs: 40 });
  await land(Array.from({ length: 30 }, () => fresh()));
  await waitFor('all of them', () => receiver.taken.length >= 30);
  const journal = await database.selectFrom('outputMessages').select('detectionId').orderBy('seq').execute();
  expect(receiver.taken.map((one) => deliveryOf(one).split(' ')[1])).toEqual(
    journal.map(({ detectionId }) => detectionId),
  );
});

test('syslog: sends again what a receiver accepted and never read because it died', async () => {
  const port = await freePort();
  let deaths = 0;
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      deaths += 1;
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => dying.listen(port, '127.0.0.1', resolve));
  const outputs = outputsOf(clickhouse, database);
  const settings = { host: '127.0.0.1', port, tls: false };
  const { id } = await outputs.make({ type: 'syslog', name: randomName('output'), settings });
  outputs.start();
  const landed = await land(Array.from({ length: 60 }, () => fresh()));
  await waitFor('deaths', () => deaths >= 2);
  expect((await outputs.rowOf(id)).delivered).toBe(0);
  await new Promise<void>((resolve) => dying.close(() => resolve()));
  const server = await syslogServer({ port });
  await waitFor('all of them', () => server.frames.length >= landed.length);
  const journal = await database.selectFrom('outputMessages').select('detectionId').orderBy('seq').execute();
  expect(server.frames.map((frame) => /id="(\w+)"/.exec(frame)?.[1])).toEqual(
    journal.map(({ detectionId }) => detectionId),
  );
});

test('receivers that never respond do not delay others', async () => {
  const silentOnes = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silentOnes.listen(0, '127.0.0.1', resolve));
  const { port } = silentOnes.address() as AddressInfo;
  const receiver = await httpReceiver();
  const outputs = outputsOf(clickhouse, database);
  for (let hanging = 0; hanging < 20; hanging += 1) await outputs.make(webhook(`http://127.0.0.1:${port}/`));
  await outputs.make(webhook(receiver.url));
  const running = outputs.start({ deliveryMs: 600_000, leaseMs: 700_000, stopGraceMs: 50 });
  for (let round = 1; round <= 5; round += 1) {
    await land([fresh()]);
    await waitFor('the one that answers', () => receiver.taken.length === round);
  }
  // The end of the process does not wait either.
  await running.stop();
  await new Promise<void>((resolve) => silentOnes.close(() => resolve()));
});

test('a rejected delivery is kept with the reason, delays no other, and is sent again on request', async () => {
  const odd = fresh({ hostname: 'odd' });
  let mended = false;
  const receiver = await httpReceiver(({ body }) =>
    !mended && body.includes('"odd"') ? { status: 422, body: 'no such host' } : { status: 200 },
  );
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(receiver.url));
  outputs.start();
  const [before, after] = [fresh(), fresh()];
  for (const one of [before, odd, after]) {
    await land([one]);
    await journaled(database, [one.id]);
  }
  await waitFor('the others', () => receiver.taken.length === 2);
  const letter = () =>
    database.selectFrom('outputDeadLetters').selectAll().where('outputId', '=', id).executeTakeFirstOrThrow();
  expect(await letter()).toMatchObject({ detectionId: odd.id, reason: 'HTTP 422: no such host', state: 'refused' });
  // Still rejected: the reason is that of the latest attempt.
  expect(await outputs.resend(id, undefined, BY)).toBe(1);
  await waitFor('another refusal', async () => receiver.tried.length === 4 && (await letter()).state === 'refused');
  mended = true;
  expect(await outputs.resend(id, [(await letter()).id], BY)).toBe(1);
  await waitFor('the delivery', async () => (await letter()).state === 'delivered');
  expect(await outputs.resend(id, undefined, BY)).toBe(0);
  expect(receiver.taken.map((one) => deliveryOf(one).split(' ')[1])).toEqual([before.id, after.id, odd.id]);
});

test('sends a batch rejected for its size one by one; only a message that is too large alone is rejected', async () => {
  const odd = fresh({ hostname: 'too-large' });
  const receiver = await httpReceiver(({ body }) => {
    const documents = body.trimEnd().split('\n').length / 2;
    return documents > 1 || body.includes('"too-large"')
      ? { status: 413, body: 'too large' }
      : { status: 200, body: JSON.stringify({ errors: false, items: [{ create: { status: 201 } }] }) };
  });
  const outputs = outputsOf(clickhouse, database);
  const type = { type: 'elasticsearch', name: randomName('output'), settings: { url: receiver.url } };
  const { id } = await outputs.make({ ...type, secrets: { authorization: 'ApiKey abc' } });
  const others = [fresh(), fresh(), fresh()];
  for (const one of [others[0] ?? odd, odd, ...others.slice(1)]) {
    await land([one]);
    // The journal contains them before the output starts, so they form one batch.
    await collectMessages({ clickhouse, database }, { againMs: 0 });
  }
  await journaled(database, [odd.id]);
  outputs.start();
  await waitFor('the others', async () => (await outputs.rowOf(id)).delivered === 3);
  const letters = await database.selectFrom('outputDeadLetters').selectAll().where('outputId', '=', id).execute();
  expect(letters.map(({ detectionId }) => detectionId)).toEqual([odd.id]);
  expect(receiver.taken).toHaveLength(3);
});

test('sets aside a message that always gets 5xx once the receiver accepts other messages', async () => {
  const bad = fresh({ hostname: 'unbearable' });
  const receiver = await httpReceiver(({ body }) => ({ status: body.includes('"unbearable"') ? 500 : 200 }));
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(receiver.url));
  outputs.start({ maxPauseMs: 40, blockedTries: 4 });
  const letters = () => database.selectFrom('outputDeadLetters').selectAll().where('outputId', '=', id).execute();
  await land([bad]);
  // No other message follows, so it blocks nothing.
  await waitFor('more tries than that', () => receiver.tried.length >= 8);
  expect(await letters()).toEqual([]);
  const behind = [fresh(), fresh(), fresh()];
  for (const one of behind) {
    await land([one]);
    await journaled(database, [one.id]);
  }
  await waitFor('the others', () => receiver.taken.length === 3);
  await waitFor('the end', async () => (await outputs.rowOf(id)).delivered === 3);
  expect(receiver.taken.map((one) => deliveryOf(one).split(' ')[1])).toEqual(behind.map((one) => one.id));
  expect(await letters()).toMatchObject([{ detectionId: bad.id, reason: 'HTTP 500', state: 'refused' }]);
  // A message sent again on request gets the same number of attempts and delays no other delivery.
  expect(await outputs.resend(id, undefined, BY)).toBe(1);
  const next = fresh();
  await land([next]);
  await waitFor('what came then', () => receiver.taken.length === 4);
  expect(await letters()).toMatchObject([{ state: 'refused' }]);
});

test('a receiver that returns 5xx for everything gets all of it afterwards, in order, with nothing set aside', async () => {
  let mended = false;
  const receiver = await httpReceiver(() => ({ status: mended ? 200 : 503 }));
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(receiver.url));
  outputs.start({ maxPauseMs: 20, blockedTries: 3 });
  const all: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    const one = fresh();
    await land([one]);
    await journaled(database, [one.id]);
    all.push(one.id);
  }
  // Often enough that the output has probed several times whether the receiver accepts another message.
  await waitFor('many tries', () => receiver.tried.length >= 40);
  mended = true;
  await waitFor('all of them', async () => (await outputs.rowOf(id)).delivered >= all.length);
  expect([...new Set(receiver.taken.map((one) => deliveryOf(one).split(' ')[1]))].sort()).toEqual(all.toSorted());
  expect(await database.selectFrom('outputDeadLetters').selectAll().where('outputId', '=', id).execute()).toEqual([]);
});

describe('filters', () => {
  test('apply by severity, rule, host and cause, without waiting for other detections', async () => {
    const receiver = await httpReceiver();
    const outputs = outputsOf(clickhouse, database);
    const filter = { minSeverity: 'high', rules: ['stack-canary-probe'], hosts: ['Web-*', 'db_1'], causes: ['opened'] };
    const { id } = await outputs.make(webhook(receiver.url, { filter }));
    outputs.start();
    const rule = { id: 'stack-canary-probe', version: 1, name: 'x' } as const;
    const wanted = [fresh({ rule, hostname: 'web-1' }), fresh({ rule, hostname: 'db_1', severity: 'critical' })];
    await land([
      ...wanted,
      fresh({ rule, hostname: 'dbx1' }),
      fresh({ rule, hostname: 'web-2', severity: 'medium' }),
      fresh({ hostname: 'web-2' }),
      fresh({ rule, hostname: null }),
    ]);
    await waitFor('the end of the journal', async () => {
      const last = await database
        .selectFrom('outputMessages')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .executeTakeFirst();
      return receiver.taken.length > 0 && (await outputs.rowOf(id)).cursor === last?.seq;
    });
    await land(wanted.map((one) => ({ ...one, revision: 2 })));
    await waitFor('the end of the journal', async () => {
      const { count, seq } = await database
        .selectFrom('outputMessages')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('seq').as('seq')])
        .executeTakeFirstOrThrow();
      return count === 8 && (await outputs.rowOf(id)).cursor === seq;
    });
    expect(receiver.taken.map((one) => deliveryOf(one).split(' ')[1]).sort()).toEqual(
      wanted.map((one) => one.id).sort(),
    );
  });
});

test('a paused output keeps its position; a changed one continues there with the new definition', async () => {
  const [first, second] = [await httpReceiver(), await httpReceiver()];
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(first.url, { enabled: false }));
  outputs.start();
  const landed = await land([fresh(), fresh()]);
  await journaled(
    database,
    landed.map((one) => one.split(' ')[1] ?? ''),
  );
  await outputs.change(id, { enabled: true, settings: { url: second.url }, secrets: { signingKey } }, BY);
  await waitFor('both', () => second.taken.length === 2);
  expect(second.taken.map(deliveryOf).sort()).toEqual(landed.sort());
  expect(first.tried).toEqual([]);
});

test('two processes deliver each message once to each receiver, in order, and one continues when the other ends', async () => {
  const receivers = [await httpReceiver(), await httpReceiver(), await httpReceiver()];
  const outputs = outputsOf(clickhouse, database);
  for (const { url } of receivers) await outputs.make(webhook(url));
  const here = outputs.start();
  outputs.start();
  for (let round = 0; round < 4; round += 1) await land(Array.from({ length: 15 }, () => fresh()));
  await waitFor('all of them', () => receivers.every(({ taken }) => taken.length >= 60));
  await here.stop();
  await land([fresh()]);
  await waitFor('the last', () => receivers.every(({ taken }) => taken.length >= 61));
  const journal = await database.selectFrom('outputMessages').select('detectionId').orderBy('seq').execute();
  for (const { taken } of receivers)
    expect(taken.map((one) => deliveryOf(one).split(' ')[1])).toEqual(journal.map(({ detectionId }) => detectionId));
});

test('completes a delivery in flight at the stop without repeating it', async () => {
  const answered = Promise.withResolvers<void>();
  const receiver = await httpReceiver(async () => {
    await answered.promise;
    return { status: 200 };
  });
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(receiver.url));
  const running = outputs.start();
  await land([fresh()]);
  await waitFor('the delivery', () => receiver.tried.length === 1);
  const stopped = running.stop();
  answered.resolve();
  await stopped;
  expect(await outputs.rowOf(id)).toMatchObject({ delivered: 1 });
  expect(receiver.taken).toHaveLength(1);
});

test('Kafka and workflows receive the same deliveries as other receivers', async () => {
  const { brokers } = await useKafka();
  const connection = { brokers };
  const topic = await makeTopic(connection, { partitions: 1 });
  const openProducer = () => createEventProducer({ log: QUIET_LOG }, { connection });
  const outputs = outputsOf(clickhouse, database, { kafka: { openProducer, isTooLarge } });
  await outputs.make({ type: 'kafka', name: 'topic', settings: { topic } });
  const { id } = await outputs.make({ type: 'workflows', name: 'flows', filter: { minSeverity: 'critical' } });
  outputs.start({ deliveryMs: 20_000, leaseMs: 25_000 });
  const grave = fresh({ severity: 'critical' });
  const landed = await land([fresh(), grave, fresh()]);
  const events = await waitFor('the event', async () => {
    const rows = await database
      .selectFrom('executionEvents')
      .selectAll()
      .where('source', '=', `trapline/outputs/${id}`)
      .execute();
    return rows.length > 0 && rows;
  });
  expect(events.map(({ event }) => event)).toMatchObject([
    { type: 'trapline.output.detection.opened', subject: grave.id, severity: 'critical', id: `${grave.id}:1:opened` },
  ]);
  const records = await waitFor('the records', async () => {
    const read = await readTopic(brokers, topic);
    return read.length >= 3 && read;
  });
  expect(records.map(({ value }) => deliveryOf({ body: value?.toString() ?? '' })).sort()).toEqual(landed.sort());
});

test('sends a test delivery immediately, marked as a test, and returns the response', async () => {
  const receiver = await httpReceiver(() => ({ status: 401, body: 'who are you?' }));
  const outputs = outputsOf(clickhouse, database);
  const { id } = await outputs.make(webhook(receiver.url, { enabled: false }));
  expect(await outputs.test(id, BY)).toMatchObject({ ok: false, answer: 'HTTP 401: who are you?' });
  const [{ body } = { body: '' }] = receiver.tried;
  expect(JSON.parse(body)).toMatchObject({
    test: true,
    type: 'detection.test',
    detection: { hostname: 'trapline-test' },
  });
  expect(await outputs.test(`out_${'0'.repeat(32)}`, BY)).toBeUndefined();
});
