import type { ListedEvent } from '#analytics/clickhouse/read-models/events.ts';
import type { EventRecord } from '#analytics/formats/record.ts';
import { readEvent } from '#schemas/events/read-event.ts';

/** A landed event as the formats take it. Every landed event was read once, so it can be read again; `short` covers both dialects. */
export function eventRecord({ topic, partition, offset, received, raw }: ListedEvent): EventRecord {
  const result = readEvent(raw, { signalDialect: 'short' });
  if (!result.ok) throw new Error(`a landed event can't be read: ${result.code} at ${result.path}`);
  const { event, time } = result;
  return { event, time, raw, identity: { topic, partition, offset }, received: Date.parse(received) };
}
