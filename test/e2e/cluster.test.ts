import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import type { EventProducer } from '#ingest/kafka/port.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { createSchemaIds } from '#ingest/kafka/schema-registry.ts';
import { TOPICS } from '#schemas/topics.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { startStallingProxy } from '#test/support/services/stalling-proxy.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { randomName, useClickHouse, useKafka, useSchemaRegistry } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

/** Tests `trapline start` and `trapline ingest` on Kafka, a schema registry and ClickHouse, as in a cluster. */

let prefix: string;
let clickhouse: ClickHouse;
let brokers: readonly string[];
let producer: EventProducer;
let env: Record<string, string>;
let registryUrl: string;
const running: TraplineProcess[] = [];

beforeAll(async () => {
  const [kafka, service, registry] = await Promise.all([
    useKafka(),
    useClickHouse({ migrated: false }),
    useSchemaRegistry(),
  ]);
  brokers = kafka.brokers;
  registryUrl = registry.url;
  clickhouse = createClickHouse(service);
  const settings = await clusterSettings(kafka, service);
  prefix = settings.TRAPLINE_TOPIC_PREFIX;
  producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers } });
  env = {
    ...settings,
    SCHEMA_REGISTRY_URL: registryUrl,
  };
});
afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await producer.close();
  await clickhouse.close();
});

async function start(args: string[], over: Record<string, string> = {}): Promise<TraplineProcess> {
  const process = await startTrapline(args, { ...env, ...over });
  running.push(process);
  return process;
}

/**
 * Stops the running processes gracefully. Each leaves its consumer group, so that the next member does not wait for a
 * session time-out.
 */
async function endRunning(): Promise<void> {
  for (const process of running.splice(0)) {
    await process.stop(60_000);
    await process.endAll();
  }
}

const mismatch = (n: number, version = 'V1') =>
  Buffer.from(
    `{"version":"${version}","n":${n},"timestamp":"2026-03-01T00:00:00.123456789+02:00","hostname":"web","event":{"type":"ConfigMismatch","key":"net.core.somaxconn","expected_value":"1","observed_value":"2"}}`,
  );

function framed(schemaId: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(schemaId, 1);
  return Buffer.concat([header, payload]);
}

async function landed(n: number): Promise<boolean> {
  const [row] = await clickhouse.rows<{ c: string }>(
    'look for an event',
    `SELECT count() AS c FROM ${clickhouse.table('events')} WHERE JSONExtractInt(raw, 'n') = {n:UInt64}`,
    { params: { n } },
  );
  return row?.c === '1';
}

const deadCodes = async () =>
  (
    await clickhouse.rows<{ code: string }>(
      'read codes',
      `SELECT code FROM ${clickhouse.table('dead_letters')} ORDER BY code`,
    )
  ).map(({ code }) => code);

describe('a cluster', () => {
  it('delivers a single event from the producer to the query', async () => {
    const process = await start(['ingest']);
    await process.logged('partitions assigned');
    await producer.send(prefix + TOPICS.events, [{ key: 'web', value: mismatch(1) }]);
    await waitFor('the event', () => landed(1));
  });

  it('starts before its broker, reports that it is alive and not ready, and consumes when the broker comes', async () => {
    const [port = 0, proxied = 0] = await freePorts(2);
    const process = await start(['ingest'], { PORT: String(port), KAFKA_BROKERS: `127.0.0.1:${proxied}` });
    const status = (name: string) => fetch(`http://127.0.0.1:${port}/${name}`).then((response) => response.status);
    await waitFor('the status server', async () => (await status('healthz')) === 200);
    expect(await status('readyz')).toBe(503);
    const proxy = await startStallingProxy(Number(brokers[0]?.split(':')[1]), proxied);
    await process.logged('ingest is running');
    expect(await status('readyz')).toBe(200);
    // Stops gracefully, so that the member leaves its group: a killed member keeps its partitions until a session
    // time-out.
    await process.stop(60_000);
    await proxy.stop();
  });

  it('reads plain JSON and registry frames in one topic, and distinguishes foreign, unknown and truncated frames', async () => {
    const ids = createSchemaIds({ url: registryUrl, topic: prefix + TOPICS.events, timeoutMs: 60_000 });
    const id = [...(await ids.publish()).values()][0] as number;
    await producer.send(prefix + TOPICS.events, [
      { key: 'web', value: mismatch(2) },
      { key: 'web', value: framed(id, mismatch(3)) },
      { key: 'web', value: framed(id, mismatch(4, 'V9')) },
      { key: 'web', value: framed(987_654, mismatch(5)) },
      { key: 'web', value: Buffer.from([0, 0, 0]) },
      { key: 'web', value: mismatch(6) },
    ]);
    await waitFor('the last event', () => landed(6));
    expect(await landed(3)).toBe(true);
    expect(await landed(2)).toBe(true);
    expect(await deadCodes()).toEqual(['frame_truncated', 'schema_unknown', 'version_unknown']);
  });

  it('continues without a registry: plain and framed events are stored, events that need it become dead letters', async () => {
    await endRunning();
    await start(['ingest'], { SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1' });
    await producer.send(prefix + TOPICS.events, [
      { key: 'web', value: framed(1, mismatch(7)) },
      { key: 'web', value: framed(1, Buffer.from('\x02\x06avro')) },
      { key: 'web', value: mismatch(8) },
    ]);
    await waitFor('the last event', () => landed(8));
    expect(await landed(7)).toBe(true);
    expect(await deadCodes()).toContain('registry_unavailable');
  });

  it('accepts events over HTTP onto the topic, and retries dead letters through it, once each', async () => {
    await endRunning();
    await producer.send(prefix + TOPICS.events, [{ key: 'web', value: signal(9, 'Segv') }]);
    const strict = await start(['start']);
    await strict.logged('Trapline serves');
    await waitFor('the dead letter', async () => (await deadCodes()).includes('not_in_enumeration'));
    const headers = { 'idempotency-key': randomName('batch'), 'content-type': 'application/json' };
    for (let turn = 0; turn < 2; turn++) {
      const response = await call(strict, '/api/events', {
        method: 'POST',
        body: `[${mismatch(10)},{"version":1}]`,
        headers,
      });
      expect(await response.json()).toMatchObject({
        accepted: 1,
        rejected: [{ index: 1, code: 'version_not_a_string' }],
      });
    }
    await waitFor('the event', () => landed(10));
    await waitFor(
      'its dead letter',
      async () => (await deadCodes()).filter((code) => code === 'version_not_a_string').length === 1,
    );
    await strict.stop(60_000);

    const lenient = await start(['start'], { TRAPLINE_SIGNAL_DIALECT: 'short' });
    await lenient.logged('Trapline serves');
    const redrive = () =>
      call(lenient, '/api/dead-letters/redrive', {
        method: 'POST',
        body: JSON.stringify({ filter: { code: 'not_in_enumeration' } }),
        headers: { 'content-type': 'application/json' },
      }).then((response) => response.json());
    expect(await redrive()).toMatchObject({ results: [{ outcome: 'accepted' }] });
    await waitFor('the redriven event', () => landed(9));
    expect(await redrive()).toEqual({ results: [], nextCursor: null, total: 0 });
    const dlq = await readTopic(brokers, prefix + TOPICS.deadLetters);
    expect(dlq.map(({ headers: of }) => String(of.code))).toContain('not_in_enumeration');
  });
});

function signal(n: number, name: string): Buffer {
  return Buffer.from(
    `{"version":"V1","n":${n},"timestamp":"2026-03-01T00:00:00Z","hostname":"web","event":{"type":"LinuxFatalSignal","facility":"Kern","level":"Info","signal":"${name}","stack_dump":{}}}`,
  );
}

async function call(process: TraplineProcess, route: string, init: RequestInit): Promise<Response> {
  const { url } = JSON.parse(await readFile(path.join(process.dataDir, 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(process.dataDir, 'operator.key'), 'utf8')).trim();
  return fetch(url + route, { ...init, headers: { 'x-api-key': key, ...init.headers } });
}
