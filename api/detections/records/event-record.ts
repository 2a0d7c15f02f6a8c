import type { ListedEvent } from '#analytics/clickhouse/read-models/events.ts';
import type { EventRecord } from '#analytics/formats/record.ts';
import { readEvent } from '#schemas/events/read-event.ts';

/**
 * Converts a stored event into a record for the formats. Every stored event was validated, so parsing cannot fail;
 * `short` covers both dialects.
 */
export function eventRecord({ topic, partition, offset, received, raw }: ListedEvent): EventRecord {
  const result = readEvent(raw, { signalDialect: 'short' });
  if (!result.ok) throw new Error(`cannot parse a stored event: ${result.code} at ${result.path}`);
  const { event, time } = result;
  return { event, time, raw, identity: { topic, partition, offset }, received: Date.parse(received) };
}
