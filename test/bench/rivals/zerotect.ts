import type { Rival, RivalAlert, TimedEvent } from './rival.ts';

/**
 * Defaults of zerotect: size of the buffer in events, events dropped when it is full, lifetime of an event, and the
 * pause without events after which zerotect runs its analysis.
 */
const MAX_EVENTS = 20;
const DROPPED_WHEN_FULL = 5;
const LIFETIME_SECONDS = 30;
const SILENCE_SECONDS = 10;
/** Maximum distance of two addresses of a probe: the size of a pointer. */
const MAX_IP_DISTANCE = 8n;
const MIN_IP_EVENTS = 2;
const MIN_REGISTER_EVENTS = 9;
const REGISTERS = ['RDI', 'RSI', 'RIP'] as const;

/**
 * zerotect 0.4 has one buffer for the host and analyses it by process name, when it is full or after a pause.
 * Consecutive events with close values are a probe. An alert removes its events from the buffer. This reimplementation
 * uses the events of our parser, because that of zerotect cannot read the fatal signals of Linux 6.6 and later.
 */
export const zerotect: Rival = {
  name: 'zerotect',
  url: 'https://github.com/polyverse/zerotect/tree/main/src/analyzer',
  alerts({ events }) {
    const alerts: RivalAlert[] = [];
    let buffer: TimedEvent[] = [];
    let judged = true;

    function detect(at: number): void {
      if (!judged) report(at);
      judged = true;
      buffer = buffer.filter((event) => event.at > at - LIFETIME_SECONDS);
      if (buffer.length >= MAX_EVENTS) buffer = buffer.slice(DROPPED_WHEN_FULL);
    }

    function report(at: number): void {
      for (const procname of new Set(buffer.map(nameOf))) {
        const own = buffer.filter((event) => nameOf(event) === procname);
        const found = [closeEvents(own, pointerOf, MAX_IP_DISTANCE, MIN_IP_EVENTS)];
        for (const register of REGISTERS)
          found.push(closeEvents(own, (event) => registerOf(event, register), 1n, MIN_REGISTER_EVENTS));
        for (const used of found.filter((set) => set.size > 0)) {
          alerts.push({ at, procname });
          buffer = buffer.filter((event) => !used.has(event));
        }
      }
    }

    /** Runs the analysis after each ten seconds without an event. */
    function passSilence(from: number, until: number): void {
      for (let at = from + SILENCE_SECONDS; at < until && buffer.length > 0; at += SILENCE_SECONDS) detect(at);
    }

    let latest = 0;
    for (const event of events) {
      if (nameOf(event) === null) continue;
      passSilence(latest, event.at);
      buffer.push(event);
      judged = false;
      latest = event.at;
      if (buffer.length >= MAX_EVENTS) detect(event.at);
    }
    passSilence(latest, Number.POSITIVE_INFINITY);
    return alerts;
  },
};

/**
 * Returns the events whose value is close to that of the previous event with such a value, and those previous events.
 * Returns an empty set if they are fewer than `min`.
 */
function closeEvents(
  events: readonly TimedEvent[],
  read: (event: TimedEvent) => bigint | undefined,
  maxDistance: bigint,
  min: number,
): ReadonlySet<TimedEvent> {
  const close = new Set<TimedEvent>();
  let before: { event: TimedEvent; value: bigint } | undefined;
  for (const event of events) {
    const value = read(event);
    if (value === undefined) continue;
    const distance = before === undefined ? 0n : distanceOf(value, before.value);
    if (before !== undefined && distance > 0n && distance <= maxDistance) close.add(before.event).add(event);
    before = { event, value };
  }
  return close.size < min ? new Set() : close;
}

function nameOf({ event }: TimedEvent): string | null {
  if (event.type === 'LinuxKernelTrap') return event.procname;
  return event.type === 'LinuxFatalSignal' ? (event.stack_dump.Comm ?? null) : null;
}

function pointerOf({ event }: TimedEvent): bigint | undefined {
  return event.type === 'LinuxKernelTrap' ? BigInt(event.ip) : undefined;
}

function registerOf({ event }: TimedEvent, register: string): bigint | undefined {
  if (event.type !== 'LinuxFatalSignal') return undefined;
  const digits = event.stack_dump[register]?.replace(/^(?:[0-9a-f]{4}:)?(?:0x)?/i, '');
  return digits !== undefined && /^[0-9a-f]+$/i.test(digits) ? BigInt(`0x${digits}`) : undefined;
}

function distanceOf(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
