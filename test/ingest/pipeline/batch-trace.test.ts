import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { tracesOfDetections } from '#analytics/clickhouse/read-models/detection-traces.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { createKafkaSink } from '#ingest/detector/sinks/kafka-sink.ts';
import { createTracedSink } from '#ingest/detector/sinks/traced-sink.ts';
import type { KafkaRecord, OutgoingMessage } from '#ingest/kafka/port.ts';
import { createKafkaLanes } from '#ingest/pipeline/kafka-lanes.ts';
import { chunksOf } from '#ingest/pipeline/records-of-kafka.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { createTestPipeline } from '#test/support/lane-fixture.ts';
import { ALWAYS, startTracing } from '#test/support/start-tracing.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const ATTACK = new URL('../../fixtures/kmsg/probe-plt-step16.kmsg', import.meta.url);

/** The messages that a detector sends for the attack. */
async function messagesOf(tracing: Parameters<typeof createTracedSink>[1], topic: string): Promise<OutgoingMessage[]> {
  const messages: OutgoingMessage[] = [];
  const send = async (_topic: string, sent: readonly OutgoingMessage[]) => void messages.push(...sent);
  const sink = createTracedSink(createKafkaSink({ send, close: async () => {} }, topic), tracing, topic);
  const events = detectEventsFromText(await readFile(ATTACK, 'utf8'), { hostname: 'edge-1' });
  await sink.write(events.map((event) => ({ json: JSON.stringify(event), hostname: 'edge-1', ingestId: null })));
  await sink.close();
  return messages;
}

const asRecord =
  (topic: string) =>
  (message: OutgoingMessage, offset: number): KafkaRecord => ({
    topic,
    partition: 0,
    offset,
    key: Buffer.from(String(message.key)),
    value: Buffer.from(message.value),
    headers: Object.fromEntries(
      Object.entries(message.headers ?? {}).map(([name, value]) => [name, Buffer.from(value)]),
    ),
  });

test('a batch continues one recorded record and links to the others; its detections are stored with their trace', async () => {
  const clickhouse = createClickHouse(await useClickHouse());
  onTestFinished(() => clickhouse.close());
  await migrate(clickhouse);
  const { tracing, received } = await startTracing(ALWAYS);
  const topic = randomName('traced');
  const announced: (readonly [Detection, TraceContext | undefined])[] = [];
  const { pipeline, metrics, log } = createTestPipeline(clickhouse, {
    deps: {
      tracing,
      publisher: {
        detections: async (all, traceOf) => void announced.push(...all.map((one) => [one, traceOf?.(one)] as const)),
        deadLetters: async () => {},
      },
    },
  });
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const lanes = createKafkaLanes({ pipeline, metrics, log, endOf: async () => 0, failed });
  const partition = { topic, partition: 0 };
  lanes.attach({ commit: async () => true, pause() {}, resume() {}, highWatermark: () => undefined });
  await lanes.assigned([partition]);
  const messages = await messagesOf(tracing, topic);
  await lanes.batch(partition, messages.map(asRecord(topic)));
  await waitFor('the detection', () => announced.length > 0);
  await lanes.close();
  expect(failures).toEqual([]);

  const { spans } = await received();
  const producers = spans.filter(({ name }) => name === `send ${topic}`);
  const batch = spans.find(({ name }) => name === `process ${topic}`);
  const found = spans.find(({ name }) => name.startsWith('detection '));
  expect(batch).toMatchObject({ kind: 'consumer', parentId: producers[0]?.spanId, failed: false });
  expect(batch?.links).toHaveLength(15);
  expect(batch?.attributes).toMatchObject({ 'messaging.destination.name': topic, 'trapline.batch.outcome': 'landed' });
  expect(producers.map(({ spanId }) => spanId)).toContain(found?.parentId);
  expect(found?.links).toContainEqual({ traceId: batch?.traceId, spanId: batch?.spanId });
  const inserts = spans.filter(({ parentId }) => parentId === batch?.spanId).map(({ name }) => name);
  expect(inserts).toEqual(expect.arrayContaining(['apply rules', 'land events', 'land detections']));

  const [detection, published] = announced[0] ?? [];
  expect(published).toMatchObject({ traceId: found?.traceId, spanId: found?.spanId, sampled: true });
  const stored = await tracesOfDetections(clickhouse, [detection?.id ?? '']);
  expect(stored.get(detection?.id ?? '')).toEqual(published);
});

test('records whose trace is not recorded have no header, and no header is read while tracing is off', async () => {
  const { tracing } = await startTracing({ OTEL_TRACES_SAMPLER_ARG: '0' });
  const messages = await messagesOf(tracing, 'events.v1');
  expect(messages.every(({ headers }) => headers === undefined)).toBe(true);
  const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const records = [asRecord('events.v1')({ key: 'edge-1', value: '{}', headers }, 0)];
  expect(chunksOf(records, false)[0]?.traces).toBeUndefined();
  expect(chunksOf(records, true)[0]?.traces).toMatchObject([{ host: 'edge-1', context: { sampled: true } }]);
});
