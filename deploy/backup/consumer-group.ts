import { setTimeout as delay } from 'node:timers/promises';
import { createKafkaAdmin, type PartitionOffsets } from '#ingest/kafka/admin.ts';
import { isTemporary } from '#ingest/kafka/failure.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { kafkaConnection } from '../processes/kafka-connection.ts';
import { topicNames } from '../processes/topic-names.ts';
import type { Answers } from './manifest.ts';
import { marksOf } from './questions.ts';

/**
 * A stopped process remains a member of its group until its session times out. Offsets of a group with members cannot
 * be set.
 */
const MEMBERS_LEAVE_MS = 60_000;
const RETRY_MS = 2_000;

export interface GroupPlan {
  /** Offset at which the group continues, by partition. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Warnings for the operator. */
  readonly problems: readonly string[];
}

/**
 * Plans where ingest continues: after the last stored event of each partition. Kafka then delivers the records that
 * arrived after the backup again.
 */
export function planGroup(partitions: readonly PartitionOffsets[], marks: ReadonlyMap<number, number>): GroupPlan {
  const offsets = new Map<number, number>();
  const problems: string[] = [];
  for (const { partition, low, high } of partitions) {
    const next = (marks.get(partition) ?? -1) + 1;
    if (next > high)
      problems.push(
        `partition ${partition} ends at offset ${high}, and events up to ${next - 1} are stored: the topic was created again, use another TRAPLINE_TOPIC_PREFIX`,
      );
    else if (next < low && next > 0)
      problems.push(
        `partition ${partition} lost the events from offset ${next} to ${low - 1} to the retention of the topic`,
      );
    offsets.set(partition, Math.min(Math.max(next, low), high));
  }
  return { offsets, problems };
}

/**
 * Moves the consumer group to the end of the restored data. Returns lines for the operator; an empty list without
 * Kafka.
 */
export async function moveConsumerGroup(config: Config, answers: Answers): Promise<string[]> {
  const { kafka } = config;
  if (kafka === undefined) return [];
  const silent = () => {};
  const topic = topicNames(config).events;
  const admin = createKafkaAdmin(
    { log: { debug: silent, info: silent, warn: silent, error: silent } },
    await kafkaConnection(kafka),
  );
  try {
    const { topics } = await admin.describe([topic]);
    if (!topics.has(topic)) return [`Kafka: the topic ${topic} does not exist yet`];
    const { offsets, problems } = planGroup(await admin.offsets(topic, kafka.groupId), marksOf(answers, topic));
    await whileMembersLeave(() => admin.moveGroup(topic, kafka.groupId, offsets));
    const places = [...offsets].map(([partition, offset]) => `${partition}: ${offset}`).join(', ');
    return [
      `Kafka: the group ${kafka.groupId} continues in ${topic} at ${places}`,
      ...problems.map((line) => `Kafka: ${line}`),
    ];
  } catch (error) {
    throw new CommandError(
      `everything is restored, but the consumer group ${kafka.groupId} cannot be moved (${(error as Error).message}): stop all ingest processes and run \`trapline restore --replace\` again`,
    );
  } finally {
    await admin.close();
  }
}

/** Retries `move` for a minute while it fails with a temporary error, such as that of a group with members. */
export async function whileMembersLeave(move: () => Promise<void>, everyMs = RETRY_MS): Promise<void> {
  const until = performance.now() + MEMBERS_LEAVE_MS;
  for (;;) {
    try {
      return await move();
    } catch (error) {
      if (!isTemporary(error) || performance.now() > until) throw error;
      await delay(everyMs);
    }
  }
}
