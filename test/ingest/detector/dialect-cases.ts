import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';

/** Error code 4: a read by user code of a page that is not there. */
export const USER = {
  access_mode: 'User',
  access_type: 'Read',
  instruction_fetch: false,
  protection_keys_block_access: false,
  reason: 'NoPageFound',
  use_of_reserved_bit: false,
};
/** A trap event as the detector gives it, with these fields. */
export const trap = (fields: object): object => ({
  type: 'LinuxKernelTrap',
  facility: 'Kern',
  level: 'Info',
  errcode: USER,
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

/** What stands in the log, and the events it gives, by what it shows. */
export type DialectCases = Readonly<Record<string, readonly [text: string, events: readonly object[]]>>;

export function testDialects(cases: DialectCases): void {
  for (const [name, [text, expected]] of Object.entries(cases)) {
    test(name, () => {
      const events = detectEventsFromText(text, { hostname: null });
      expect(events.map(({ event }) => event)).toEqual(expected);
    });
  }
}
