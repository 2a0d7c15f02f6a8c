import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATCHES } from '../../bin/patches/apply.mjs';

/** Tests each correction that no integration test can show: without this correction, and with all of them. */

const installed = fileURLToPath(new URL('../../node_modules/kafkajs/', import.meta.url));

/** Loads a file of kafkajs with all corrections except `left`. */
function load(file: string, left?: string): never {
  const path = `${installed}${file}`;
  const edits = PATCHES.flatMap(({ corrections }) => corrections)
    .filter(({ name }) => name !== left)
    .flatMap((correction) => correction.edits.filter((edit) => edit.path === file));
  const text = edits.reduce(
    (source, { from, to }) => source.replace(from, () => to),
    readFileSync(`${path}.published`, 'utf8'),
  );
  const module = { exports: {} };
  new Function('module', 'exports', 'require', text)(module, module.exports, createRequire(path));
  return module.exports as never;
}

const LOGGER = { namespace: () => LOGGER, debug() {}, info() {}, error() {} };

interface Group {
  offsetManager: object;
  fetch(nodeId: number): Promise<object[]>;
}
interface FetchRequest {
  readonly maxWaitTime: number;
}
type NewGroup = new (options: object) => Group & Record<string, unknown>;

/** Returns a consumer group member with one partition. `onFetch` runs while the broker processes the fetch request. */
function member(
  ConsumerGroup: NewGroup,
  paused: readonly unknown[],
  onFetch: (group: Group, request: FetchRequest) => void,
): Group {
  const partitions = [{ partition: 0, messages: [], highWatermark: '7' }];
  const group = new ConsumerGroup({
    cluster: {
      refreshMetadataIfNecessary: async () => {},
      findBroker: async () => ({
        async fetch(request: FetchRequest) {
          onFetch(group, request);
          return { responses: [{ topicName: 'events', partitions }] };
        },
      }),
    },
    logger: LOGGER,
    maxWaitTimeInMs: 5_000,
    retry: { retries: 0 },
  });
  const assigned = [{ topic: 'events', partitions: [0] }];
  const subscriptionState = { assigned: () => assigned, paused: () => paused, isPaused: () => false };
  return Object.assign(group, {
    checkForStaleAssignment() {},
    filterPartitionsByNode: () => assigned,
    getActiveTopicPartitions: () => ({ events: new Set([0]) }),
    seekOffsets: async () => {},
    offsetManager: offsetManager(),
    subscriptionState,
  });
}

const offsetManager = () => ({ committedOffsets: () => ({ events: { 0: '3' } }), nextOffset: () => '3' });

test('the request queue sets no timer while nothing is pending', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const timersOf = (RequestQueue: new (options: object) => { scheduleCheckPendingRequests(): void }) => {
    vi.clearAllTimers();
    new RequestQueue({ logger: LOGGER }).scheduleCheckPendingRequests();
    return vi.getTimerCount();
  };
  const file = 'src/network/requestQueue/index.js';
  expect(timersOf(load(file, 'idle-timer'))).toBe(1);
  expect(timersOf(load(file))).toBe(0);
});

test('a fetch that ends in another generation of the group delivers nothing', async () => {
  const file = 'src/consumer/consumerGroup.js';
  const fetched = (ConsumerGroup: NewGroup) =>
    member(ConsumerGroup, [], (group) => {
      group.offsetManager = offsetManager();
    }).fetch(1);
  expect(await fetched(load(file, 'lost-generation'))).toHaveLength(1);
  expect(await fetched(load(file))).toEqual([]);
});

test('a batch of another generation is not handed to the consumer, and moves no position', async () => {
  interface Runner {
    handleBatch(batch: object): Promise<void>;
  }
  const file = 'src/consumer/runner.js';
  const resolvedBy = async (Runner: new (options: object) => Runner) => {
    const resolved: string[] = [];
    const runner = new Runner({
      logger: LOGGER,
      concurrency: 1,
      consumerGroup: {
        offsetManager: offsetManager(),
        getNodeIds: () => [],
        resolveOffset: ({ offset }: { offset: string }) => resolved.push(offset),
        heartbeat: async () => {},
        commitOffsetsIfNecessary: async () => {},
      },
      instrumentationEmitter: { emit() {} },
      eachBatch: ({ resolveOffset }: { resolveOffset(offset: string): void }) => resolveOffset('9'),
      autoCommit: false,
    });
    Object.assign(runner, { running: true });
    const empty = { isEmpty: () => false, isEmptyDueToFiltering: () => false, isEmptyControlRecord: () => false };
    const batch = {
      ...empty,
      topic: 'events',
      partition: 0,
      messages: [{ offset: '9' }],
      offsetManager: offsetManager(),
    };
    await runner.handleBatch(
      Object.assign(batch, {
        offsetLag: () => '0',
        offsetLagLow: () => '0',
        firstOffset: () => '9',
        lastOffset: () => '9',
        highWatermark: '10',
      }),
    );
    return resolved;
  };
  expect(await resolvedBy(load(file, 'lost-generation'))).toContain('9');
  expect(await resolvedBy(load(file))).toEqual([]);
});

test('a message for a partition whose leader moves to another broker of the request is sent there', async () => {
  interface Sent {
    readonly topicData: { partitions: { partition: number }[] }[];
  }
  type CreateSend = (options: object) => (request: object) => Promise<unknown>;
  const file = 'src/producer/sendMessages.js';
  const partitionsStored = async (createSend: CreateSend) => {
    const stored: number[] = [];
    let leaders: Record<string, number[]> = { 1: [0], 2: [1] };
    const brokers = [1, 2].map((nodeId) => ({
      nodeId,
      async produce({ topicData }: Sent) {
        if (nodeId === 2) throw Object.assign(new Error('the broker is gone'), { name: 'KafkaJSConnectionError' });
        const partitions = topicData.flatMap((topic) => topic.partitions);
        stored.push(...partitions.map(({ partition }) => partition));
        return { topics: [{ topicName: 'events', partitions }] };
      },
    }));
    const of = (wanted: readonly string[]) =>
      Object.entries(leaders).map(([id, led]) => [id, led.filter((one) => wanted.includes(String(one)))] as const);
    const send = createSend({
      logger: LOGGER,
      cluster: {
        refreshMetadataIfNecessary: async () => {},
        addMultipleTargetTopics: async () => {},
        isConnected: () => true,
        async refreshMetadata() {
          leaders = { 1: [0, 1] };
        },
        findTopicPartitionMetadata: () => [{ partitionId: 0 }, { partitionId: 1 }],
        findLeaderForPartitions: (_: string, wanted: string[]) =>
          Object.fromEntries(of(wanted).filter(([, led]) => led.length > 0)),
        findBroker: async ({ nodeId }: { nodeId: string }) => brokers[Number(nodeId) - 1],
      },
      partitioner: ({ message }: { message: { partition: number } }) => message.partition,
      eosManager: {
        acquireBrokerLock: async () => {},
        releaseBrokerLock: async () => {},
        isTransactional: () => false,
        getSequence: () => 0,
        updateSequence() {},
        getProducerId: () => 1,
        getProducerEpoch: () => 0,
      },
      // Retries once.
      retrier: (attempt: (bail: () => void) => Promise<unknown>) => attempt(() => {}).catch(() => attempt(() => {})),
    });
    await send({ acks: -1, topicMessages: [{ topic: 'events', messages: [{ partition: 0 }, { partition: 1 }] }] });
    return stored;
  };
  expect(await partitionsStored(load(file, 'moved-leaders'))).toEqual([0]);
  expect(await partitionsStored(load(file))).toEqual([0, 1]);
});

test('a fetch waits for a short time only while a partition is paused', async () => {
  const file = 'src/consumer/consumerGroup.js';
  const waitOf = async (ConsumerGroup: NewGroup, paused: readonly unknown[]) => {
    let wait = 0;
    await member(ConsumerGroup, paused, (_, { maxWaitTime }) => {
      wait = maxWaitTime;
    }).fetch(1);
    return wait;
  };
  const paused = [{ topic: 'events', partitions: [1] }];
  expect(await waitOf(load(file, 'paused-partitions'), paused)).toBe(5_000);
  expect(await waitOf(load(file), paused)).toBe(25);
  expect(await waitOf(load(file), [])).toBe(5_000);
});

test('a header may have the name of a member of Object.prototype', () => {
  type Decode = (decoder: object, context: object) => { headers: Record<string, unknown> };
  const require = createRequire(import.meta.url);
  const { buffer } = require(`${installed}src/protocol/recordBatch/record/v0/index.js`)({
    offsetDelta: 0,
    timestampDelta: 0,
    key: null,
    value: null,
    headers: { constructor: 'x' },
  });
  const Decoder = require(`${installed}src/protocol/decoder.js`);
  const read = (decode: Decode) => {
    const decoder = new Decoder(buffer);
    decoder.readVarInt();
    return decode(decoder, { firstOffset: '0', firstTimestamp: '0', firstOffsetNumber: 0, firstTimestampNumber: 0 })
      .headers;
  };
  const file = 'src/protocol/recordBatch/record/v0/decoder.js';
  expect(read(load(file, 'record-decoding')).constructor).toEqual([expect.any(Function), Buffer.from('x')]);
  expect(read(load(file)).constructor).toEqual(Buffer.from('x'));
});
