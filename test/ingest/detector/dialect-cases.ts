import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { USER_READ } from '#test/schemas/events/sample-event.ts';

/** A trap event as the detector creates it, with these fields. */
export const trap = (fields: object): object => ({
  type: 'LinuxKernelTrap',
  facility: 'Kern',
  level: 'Info',
  errcode: USER_READ,
  file: null,
  vmastart: null,
  vmasize: null,
  ...fields,
});
export const signal = (name: string, dump: object): object => ({
  type: 'LinuxFatalSignal',
  facility: 'Kern',
  level: 'Info',
  signal: name,
  stack_dump: dump,
});
export const CPU_LIKELY = 'likely on CPU 1 (core 1, socket 0)';

/** Log lines and the expected events, by name of the case. */
export type DialectCases = Readonly<Record<string, readonly [text: string, events: readonly object[]]>>;

export function testDialects(cases: DialectCases): void {
  for (const [name, [text, expected]] of Object.entries(cases)) {
    test(name, () => {
      const events = detectEventsFromText(text, { hostname: null });
      expect(events.map(({ event }) => event)).toEqual(expected);
    });
  }
}
