import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createEventConsumer, type KafkaClientName } from '#ingest/kafka/consumer.ts';
import { QUIET_LOG } from '../support/quiet-log.ts';
import { randomName } from '../support/random-name.ts';
import { startKafkaBroker } from '../support/services/kafka-broker.ts';
import { waitFor } from '../support/wait-for.ts';
import { type BothSides, CLIENTS, comparison, inTurn, mapSides } from './client-sides.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import type { BenchRow } from './row.ts';
import { median } from './statistics.ts';

const PARTITIONS = 4;
const SESSION_MS = 3_000;
const MEMBER = fileURLToPath(new URL('../ingest/kafka/consumer-process.ts', import.meta.url));

/**
 * How long the group takes with each Kafka client when a member joins, is killed, or is started again; and when the broker is killed and comes
 * back, with both at the same time.
 */
export async function benchKafkaClientsGroup(context: BenchContext): Promise<BenchRow[]> {
  const group = await compareRebalances(context);
  context.progress('the broker is killed');
  return [...group, await compareOutage()];
}

interface Rebalance {
  readonly joinMs: number;
  readonly killMs: number;
  readonly returnMs: number;
}

async function compareRebalances({ kafka, rounds }: BenchContext): Promise<BenchRow[]> {
  const runs: BothSides<Rebalance[]> = { kafkajs: [], platformatic: [] };
  for (let round = 0; round < rounds; round++) {
    for (const client of inTurn(round)) {
      const feed = await createFeed(kafka.brokers, PARTITIONS);
      runs[client].push(await rebalance(feed, client).finally(() => feed.close()));
    }
  }
  const of = (part: keyof Rebalance) => mapSides(runs, (all) => median(all.map((run) => run[part])));
  return [
    comparison('a member joins: all have their partitions', 'ms', of('joinMs')),
    comparison(`a member is killed: the other has all (session time-out ${SESSION_MS} ms)`, 'ms', of('killMs')),
    comparison('a static member is killed and started again: it has its partitions', 'ms', of('returnMs')),
  ];
}

async function rebalance(feed: Feed, client: KafkaClientName): Promise<Rebalance> {
  const groupId = randomName('group');
  const has = (one: Member, count: number) =>
    waitFor('an assignment', () => one.assigned() === count, { everyMs: 5, timeoutMs: 60_000 });
  const first = startMember(feed, { groupId, client });
  const second = startMember(feed, { groupId, client, waits: true });
  try {
    await Promise.all([has(first, PARTITIONS), second.ready]);
    const joinedMs = performance.now();
    second.go();
    await Promise.all([has(first, PARTITIONS / 2), has(second, PARTITIONS / 2)]);
    const joinMs = performance.now() - joinedMs;
    const killedMs = performance.now();
    second.kill();
    await has(first, PARTITIONS);
    const killMs = performance.now() - killedMs;
    return { joinMs, killMs, returnMs: await staticReturn(feed, client) };
  } finally {
    for (const member of [first, second]) member.kill();
  }
}

/** The session time-out is longer than the measurement, so that only the name can bring the partitions back. */
async function staticReturn(feed: Feed, client: KafkaClientName): Promise<number> {
  const options = { groupId: randomName('group'), client, instanceId: 'only-one', sessionTimeoutMs: 60_000 };
  const victim = startMember(feed, options);
  const next = startMember(feed, { ...options, waits: true });
  try {
    await Promise.all([waitFor('an assignment', () => victim.assigned() === PARTITIONS), next.ready]);
    victim.kill();
    const begunMs = performance.now();
    next.go();
    await waitFor('the assignment again', () => next.assigned() === PARTITIONS, { everyMs: 5, timeoutMs: 90_000 });
    return performance.now() - begunMs;
  } finally {
    victim.kill();
    next.kill();
  }
}

interface Member {
  /** Resolves when a member that waits is loaded. */
  readonly ready: Promise<void>;
  /** Lets a member that waits join. */
  go(): void;
  assigned(): number | undefined;
  kill(): void;
}

/** A consumer in a process of its own. */
function startMember(
  feed: Feed,
  options: {
    readonly groupId: string;
    readonly client: KafkaClientName;
    readonly waits?: boolean;
    readonly instanceId?: string;
    readonly sessionTimeoutMs?: number;
  },
): Member {
  const settings = {
    connection: { brokers: feed.brokers },
    topic: feed.topic,
    sessionTimeoutMs: SESSION_MS,
    commit: true,
    ...options,
  };
  const child = spawn(process.execPath, [MEMBER, JSON.stringify(settings)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ready = Promise.withResolvers<void>();
  let assigned: number | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { assigned?: number[]; waiting?: true };
    if (said.waiting) ready.resolve();
    if (said.assigned !== undefined) assigned = said.assigned.length;
  });
  return {
    ready: ready.promise,
    go: () => void child.stdin.write('go\n'),
    assigned: () => assigned,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** From the moment at which a killed broker listens again to the first record of each client, both at the same time. */
async function compareOutage(): Promise<BenchRow> {
  const broker = await startKafkaBroker();
  const feed = await createFeed(broker.brokers, 1);
  const seen: BothSides<number> = { kafkajs: 0, platformatic: 0 };
  const consumers = CLIENTS.map((client) =>
    createEventConsumer(
      {
        log: QUIET_LOG,
        handlers: {
          assigned: async () => {},
          batch: async (_, records) => {
            seen[client] = Math.max(seen[client], (records.at(-1)?.offset ?? -1) + 1);
          },
          failed: (error) => console.error(error),
        },
      },
      { client, connection: { brokers: broker.brokers }, groupId: randomName('group'), topics: [feed.topic] },
    ),
  );
  try {
    await Promise.all(consumers.map((consumer) => consumer.start()));
    await feed.fill(0, 10, fleetRecord);
    await waitFor('the first records', () => CLIENTS.every((client) => seen[client] === 10));
    await broker.kill9();
    const sending = feed.fill(10, 10, fleetRecord);
    await broker.restart();
    const upMs = performance.now();
    const after: BothSides<number> = { kafkajs: 0, platformatic: 0 };
    await Promise.all(
      CLIENTS.map(async (client) => {
        await waitFor(`records at ${client}`, () => seen[client] >= 20, { everyMs: 5, timeoutMs: 90_000 });
        after[client] = performance.now() - upMs;
      }),
    );
    await sending;
    return comparison('the broker is killed and back: first record after it listens', 'ms', after);
  } finally {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await feed.close();
    await broker.stop();
  }
}
