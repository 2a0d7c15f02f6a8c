import type { EventType } from '#schemas/events/event.ts';
import { eventColumns } from '../formats/event-columns.ts';
import { createBlockBuilders } from './block-builder.ts';
import type { EventBlockBuilder, EventRow, Lane } from './port.ts';
import { eventsTable } from './tables/events.ts';

/** Returns a function that opens blocks of accepted events. `receivedMs` (epoch) is stored in each row. */
export function createEventBlocks(): (lane: Lane, receivedMs: number) => EventBlockBuilder {
  const open = createBlockBuilders(eventsTable);
  return ({ topic, partition }, receivedMs) => {
    const builder = open({ topic, partition }, receivedMs);
    const append = ({ offset, accepted: { event, time }, raw, ingestId }: EventRow): void => {
      builder.add(offset, {
        topic,
        partition,
        offset,
        receivedMs,
        time,
        hostname: event.hostname ?? null,
        event: event.event,
        fields: eventColumns(event.event),
        trap: trapKind(event.event),
        ingestId,
        raw,
      });
    };
    return Object.assign(builder, { append });
  };
}

function trapKind(event: EventType): string | null {
  if (event.type !== 'LinuxKernelTrap') return null;
  return event.trap.type === 'Generic' ? event.trap.description : event.trap.type;
}
