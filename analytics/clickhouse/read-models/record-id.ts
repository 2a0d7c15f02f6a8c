import type { RecordIdentity } from '#schemas/topics.ts';

/** The id of an event or dead letter in URLs: `<topic>~<partition>~<offset>`. A topic's name has no `~`. */
export function recordId({ topic, partition, offset }: RecordIdentity): string {
  return `${topic}~${partition}~${offset}`;
}

/** `undefined` when the text is not such an id. */
export function parseRecordId(id: string): RecordIdentity | undefined {
  const match = /^([^~]{1,249})~(\d{1,15})~(\d{1,15})$/.exec(id);
  if (match === null) return undefined;
  return { topic: match[1] as string, partition: Number(match[2]), offset: Number(match[3]) };
}
