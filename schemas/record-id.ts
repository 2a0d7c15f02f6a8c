import type { RecordIdentity } from './topics.ts';

/** A record's identity as one text, e.g. `events.v1~3~42`: ids of events and dead letters in URLs, answers and on the command line. */
export function recordId({ topic, partition, offset }: RecordIdentity): string {
  return `${topic}~${partition}~${offset}`;
}

/** The other direction; undefined when the text is no such id. Names of topics hold no `~`, and URLs need no escape for it. */
export function parseRecordId(id: string): RecordIdentity | undefined {
  const parts = /^([\w.-]{1,249})~(\d{1,10})~(\d{1,16})$/.exec(id);
  const [, topic = '', partition, offset] = parts ?? [];
  if (!parts || !Number.isSafeInteger(Number(offset))) return undefined;
  return { topic, partition: Number(partition), offset: Number(offset) };
}
