import { expect, test } from 'vitest';
import { runDetector } from '#ingest/detector/run-detector.ts';
import { UndeliveredError } from '#ingest/detector/sinks/event-sink.ts';
import { createKafkaSink } from '#ingest/detector/sinks/kafka-sink.ts';
import { useKafka } from '#test/support/use-services.ts';
import { kcatConsume, makeTopic, testProducer } from '../kafka/fixture.ts';
import { BARE_OPTIONS } from './detector-options.ts';

const { brokers } = await useKafka();
const CAPTURE = 'test/fixtures/kmsg/probe-stack-canary.kmsg';

// Regression: sends are sequential, and the input was consumed before the second send began, so all sends but the first
// were lost.
test('at the end of a file all its events are on the topic', async () => {
  const topic = await makeTopic({ brokers });
  const { events, reason } = await runDetector(
    { ...BARE_OPTIONS, input: { kind: 'file', path: CAPTURE, follow: false }, hostname: 'edge-1' },
    {
      sink: createKafkaSink(testProducer({ brokers }), topic),
      log: () => {},
      signal: new AbortController().signal,
    },
  );
  expect(reason).toBe('end of input');
  expect(events).toBeGreaterThan(200);
  expect(await kcatConsume(brokers, topic)).toHaveLength(events);
});

test('writes during a request share the next request, in order', async () => {
  const topic = await makeTopic({ brokers });
  const producer = testProducer({ brokers });
  const requests: number[] = [];
  const begun = Promise.withResolvers<void>();
  const sink = createKafkaSink(
    {
      ...producer,
      send(name, messages, options) {
        requests.push(messages.length);
        begun.resolve();
        return producer.send(name, messages, options);
      },
    },
    topic,
  );
  const event = (number: number) => ({ json: `{"number":${number}}`, hostname: 'edge-1', ingestId: null });
  const writes = [sink.write([event(1)])];
  await begun.promise;
  for (const number of [2, 3, 4]) writes.push(sink.write([event(number)]));
  await Promise.all(writes);
  await sink.close();
  expect(requests).toEqual([1, 3]);
  expect(await kcatConsume(brokers, topic)).toEqual([1, 2, 3, 4].map((number) => `edge-1|${event(number).json}`));
});

test('a write to brokers that stay unavailable fails, and the undelivered events are reported', async () => {
  const sink = createKafkaSink(testProducer({ brokers: ['127.0.0.1:1'] }, { tries: 1 }), 'any', { closeTimeoutMs: 1 });
  const event = { json: '{}', hostname: null, ingestId: null };
  const writes = Promise.allSettled([sink.write([event]), sink.write([event])]);
  await sink.close();
  for (const write of await writes)
    expect(write).toMatchObject({ status: 'rejected', reason: expect.any(UndeliveredError) });
});
