import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

/**
 * One event as a line of JSON without its line end. The dialect `short` writes signals as releases of the reference detector
 * in the field do (`Segv`): outside the format, only for receivers that expect it.
 */
export function eventJson(event: EventV1, dialect: SignalDialect = 'v1'): string {
  return stringifyExact(dialect === 'short' ? withShortSignal(event) : event);
}

function withShortSignal(event: EventV1): unknown {
  if (event.event.type !== 'LinuxFatalSignal') return event;
  const name = event.event.signal.slice(3);
  return { ...event, event: { ...event.event, signal: `${name[0]}${name.slice(1).toLowerCase()}` } };
}
