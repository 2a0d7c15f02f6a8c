import type { InternalEvent } from '../event.ts';
import type { EventVersion } from '../version.ts';
import { type EventType, eventV1Schema } from './v1.ts';

/** V1 with the host as `host`, which is required. */
const eventV2Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://trapline.dev/schemas/event-v2.json',
  title: 'TraplineEventV2',
  type: 'object',
  required: ['version', 'timestamp', 'host', 'event'],
  properties: {
    version: { const: 'V2' },
    timestamp: { type: 'string', format: 'date-time' },
    host: { type: 'string' },
    event: eventV1Schema.properties.event,
  },
} as const;

interface EventV2 {
  readonly version: 'V2';
  readonly timestamp: string;
  readonly host: string;
  readonly event: EventType;
  readonly [name: string]: unknown;
}

export const version: EventVersion = { version: 'V2', schema: eventV2Schema, upcast };

function upcast({ version: _, host, event, ...others }: EventV2): InternalEvent {
  return { ...others, version: 'V1', hostname: host, event: withInternalEvents(event) };
}

/** The events enclosed in a RegisterProbe are V2 too: the schema refers to itself. */
function withInternalEvents(event: EventType): EventType {
  if (event.type !== 'RegisterProbe' || !('FullEvents' in event.justification)) return event;
  const enclosed = event.justification.FullEvents as unknown as readonly EventV2[];
  return { ...event, justification: { ...event.justification, FullEvents: enclosed.map(upcast) } };
}
