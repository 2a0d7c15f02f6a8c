import type { RecordIdentity } from './topics.ts';

/**
 * Formats the identity of a record, e.g. `events.v1~3~42`. Used as id of events and dead letters in URLs, responses and
 * on the command line.
 */
export function recordId({ topic, partition, offset }: RecordIdentity): string {
  return `${topic}~${partition}~${offset}`;
}

/**
 * Parses the output of `recordId`; returns undefined if the text is invalid. Topic names never contain `~`, and URLs do
 * not need to escape it.
 */
export function parseRecordId(id: string): RecordIdentity | undefined {
  const parts = /^([\w.-]{1,249})~(\d{1,10})~(\d{1,16})$/.exec(id);
  const [, topic = '', partition, offset] = parts ?? [];
  if (!parts || !Number.isSafeInteger(Number(offset))) return undefined;
  return { topic, partition: Number(partition), offset: Number(offset) };
}
