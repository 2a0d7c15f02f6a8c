import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

/**
 * Formats an event as one line of JSON without a line end. The dialect `short` writes signals as older releases of the
 * reference detector do (`Segv`). It is not part of the format, and is for receivers that expect it.
 */
export function eventJson(event: EventV1, dialect: SignalDialect = 'v1'): string {
  return stringifyExact(dialect === 'short' ? withShortSignal(event) : event);
}

function withShortSignal(event: EventV1): unknown {
  if (event.event.type !== 'LinuxFatalSignal') return event;
  const name = event.event.signal.slice(3);
  return { ...event, event: { ...event.event, signal: `${name[0]}${name.slice(1).toLowerCase()}` } };
}
