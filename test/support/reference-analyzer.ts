import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';

/**
 * The analyzer of the reference detector as documented, to compare with our rules. It has one buffer of 20 events in
 * total, keeps each event for 30 s, and groups events by process name. It reports, in arrival order, 2 or more pairs of
 * neighbours whose instruction pointers differ by 1 to 8 bytes, and 9 or more pairs of neighbouring dumps whose RDI,
 * RSI or RIP differ by exactly 1. Where the documentation is silent, this version is stronger than the original: it
 * analyses after every event and uses the events' timestamps.
 */
const CAPACITY = 20;
const LIFETIME_SECONDS = 30;
const MAX_IP_DISTANCE = 8n;
const MIN_IP_PAIRS = 2;
const MIN_REGISTER_PAIRS = 9;
const REGISTERS = ['RDI', 'RSI', 'RIP'] as const;

export interface ReferenceFinding {
  readonly procname: string;
  readonly register: string;
}

/** Returns the findings for a stream, each (process name, register) once. */
export function analyzeLikeReference(events: Iterable<AcceptedEvent>): ReferenceFinding[] {
  let buffer: { procname: string; t: number; event: EventType }[] = [];
  const found = new Map<string, ReferenceFinding>();
  for (const { event, time } of events) {
    const t = time.seconds + time.nanos / 1e9;
    const procname = nameOf(event.event);
    if (procname === undefined) continue;
    buffer.push({ procname, t, event: event.event });
    buffer = buffer.filter((entry) => entry.t > t - LIFETIME_SECONDS).slice(-CAPACITY);
    const own = buffer.filter((entry) => entry.procname === procname).map((entry) => entry.event);
    for (const register of judge(own)) found.set(JSON.stringify([procname, register]), { procname, register });
  }
  return [...found.values()];
}

function nameOf(event: EventType): string | undefined {
  if (event.type === 'LinuxKernelTrap') return event.procname;
  return event.type === 'LinuxFatalSignal' ? event.stack_dump.Comm : undefined;
}

function judge(events: readonly EventType[]): string[] {
  const pointers = events.flatMap((event) => (event.type === 'LinuxKernelTrap' ? [BigInt(event.ip)] : []));
  const dumps = events.flatMap((event) => (event.type === 'LinuxFatalSignal' ? [event.stack_dump] : []));
  const found = pairs(pointers, MAX_IP_DISTANCE) >= MIN_IP_PAIRS ? ['ip'] : [];
  for (const register of REGISTERS) {
    const values = dumps.map((dump) => parseHex(dump[register]));
    if (pairs(values, 1n) >= MIN_REGISTER_PAIRS) found.push(register);
  }
  return found;
}

function pairs(values: readonly (bigint | undefined)[], maxDistance: bigint): number {
  let count = 0;
  for (let i = 1; i < values.length; i += 1) {
    const [a, b] = [values[i - 1], values[i]];
    if (a === undefined || b === undefined || a === b) continue;
    if ((a > b ? a - b : b - a) <= maxDistance) count += 1;
  }
  return count;
}

function parseHex(text: string | undefined): bigint | undefined {
  const digits = text?.replace(/^[0-9a-f]{4}:/, '').replace(/^0x/, '');
  return digits !== undefined && /^[0-9a-f]+$/i.test(digits) ? BigInt(`0x${digits}`) : undefined;
}
