import type { EventType } from '#schemas/events/v1.ts';
import { eventColumns } from '../formats/event-columns.ts';
import { createBlockBuilder } from './block-builder.ts';
import type { EventBlockBuilder, EventRow, Lane } from './port.ts';
import { eventsTable } from './tables/events.ts';

/** A block of accepted events; `receivedMs` (epoch) stands in each. */
export function openEventBlock({ topic, partition }: Lane, receivedMs: number): EventBlockBuilder {
  const builder = createBlockBuilder({ topic, partition }, eventsTable, receivedMs);
  const append = ({ offset, accepted: { event, time }, raw, ingestId }: EventRow): void => {
    builder.add(offset, {
      topic,
      partition,
      offset,
      receivedMs,
      time,
      hostname: event.hostname ?? null,
      fields: eventColumns(event.event),
      trap: trapKind(event.event),
      ingestId,
      raw,
    });
  };
  return Object.assign(builder, { append });
}

function trapKind(event: EventType): string | null {
  if (event.type !== 'LinuxKernelTrap') return null;
  return event.trap.type === 'Generic' ? event.trap.description : event.trap.type;
}
