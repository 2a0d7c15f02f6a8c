import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { backoffMs } from '#ingest/detector/sinks/backoff.ts';
import { type OutgoingEvent, SinkClosedError } from '#ingest/detector/sinks/event-sink.ts';
import { createKafkaSink } from '#ingest/detector/sinks/kafka-sink.ts';
import { createStdoutSink } from '#ingest/detector/sinks/stdout-sink.ts';
import type { OutgoingMessage } from '#ingest/kafka/port.ts';

const event = (n: number, ingestId: string | null = null): OutgoingEvent => ({
  json: `{"n":${n}}`,
  hostname: 'h',
  ingestId,
});

test('standard output: writes one object per line, and a write ends when the reader has read it', async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const sink = createStdoutSink(stream);
  const done: number[] = [];
  const writes = [sink.write([event(1), event(2)]), sink.write([event(3)]), sink.write([])];
  writes.forEach((write, at) => {
    write.then(() => done.push(at));
  });
  await new Promise(setImmediate);
  expect(done).toEqual([2]);
  const read = text(stream);
  await Promise.all(writes);
  stream.end();
  expect(await read).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  await sink.close();
});

test('standard output: a closed reader stops the run without an error', async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const sink = createStdoutSink(stream);
  await expect(sink.write([event(1)])).rejects.toBeInstanceOf(SinkClosedError);
  await expect(sink.write([event(2)])).rejects.toBeInstanceOf(SinkClosedError);
  await sink.close();
});

test('standard output: any other failure is reported unchanged', async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('disk full'), { code: 'ENOSPC' })),
  });
  await expect(createStdoutSink(stream).write([event(1)])).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('Kafka: the host is the key, the identity a header; writes that wait share a request and keep their order', async () => {
  const sent: (readonly OutgoingMessage[])[] = [];
  let closed = false;
  const gate = Promise.withResolvers<void>();
  const sink = createKafkaSink(
    {
      async send(_topic, messages) {
        if (sent.length === 0) await gate.promise;
        sent.push(messages);
      },
      async close() {
        closed = true;
      },
    },
    'events.v1',
  );
  const writes = [sink.write([event(1, 'boot:7')]), sink.write([event(2)])];
  gate.resolve();
  await Promise.all(writes);
  await sink.close();
  expect(sent).toEqual([
    [
      { key: 'h', value: '{"n":1}', headers: { 'ingest-id': 'boot:7' } },
      { key: 'h', value: '{"n":2}' },
    ],
  ]);
  expect(closed).toBe(true);
});

test('back-off: exponential with full jitter, bounded, and never before the receiver asks for it', () => {
  const delays = { baseMs: 100, maxMs: 1000, random: () => 1 };
  expect([1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, null, delays))).toEqual([200, 400, 800, 1000, 1000]);
  expect(backoffMs(3, null, { ...delays, random: () => 0 })).toBe(0);
  expect(backoffMs(1, 5000, delays)).toBe(5000);
});
