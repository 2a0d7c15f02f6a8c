import type { EventV1 } from '#schemas/events/v1.ts';

/**
 * How signals are written. `v1`: as the format says (`SIGSEGV`). `reference`: as releases of the reference detector in the
 * field do (`Segv`), outside the format: only for receivers that expect it.
 */
export type SignalDialect = 'v1' | 'reference';

/** One event as a line of JSON without its line end; 64-bit integers with all their digits. */
export function eventJson(event: EventV1, dialect: SignalDialect = 'v1'): string {
  const out = dialect === 'reference' ? withReferenceSignal(event) : event;
  return JSON.stringify(out, (_key, value: unknown) => (typeof value === 'bigint' ? rawJson(value.toString()) : value));
}

// The type library does not know JSON.rawJSON yet (V8 has it since 11.4).
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function withReferenceSignal(event: EventV1): unknown {
  if (event.event.type !== 'LinuxFatalSignal') return event;
  const name = event.event.signal.slice(3);
  return { ...event, event: { ...event.event, signal: `${name[0]}${name.slice(1).toLowerCase()}` } };
}
