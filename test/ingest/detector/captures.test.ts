import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { eventJson } from '#ingest/detector/event-json.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';

function capture(name: string): EventV1[] {
  const path = new URL(`../../fixtures/kmsg/${name}.kmsg`, import.meta.url);
  return detectEventsFromText(readFileSync(path, 'utf8'), { hostname: 'h' });
}

function counts(events: EventV1[]): Record<string, number> {
  const by: Record<string, number> = {};
  for (const { event } of events) by[event.type] = (by[event.type] ?? 0) + 1;
  return by;
}

test.each([
  ['assorted-faults', { LinuxSuppressedCallback: 1, LinuxKernelTrap: 6, LinuxFatalSignal: 7 }],
  ['benign-crash-loop', { LinuxSuppressedCallback: 1, LinuxKernelTrap: 10, LinuxFatalSignal: 30 }],
  ['probe-ip-default-sysctl', { LinuxSuppressedCallback: 1, LinuxKernelTrap: 20 }],
  ['probe-ip-step2', { LinuxSuppressedCallback: 2, LinuxKernelTrap: 20, LinuxFatalSignal: 149 }],
  ['probe-plt-step16', { LinuxSuppressedCallback: 2, LinuxKernelTrap: 20, LinuxFatalSignal: 38 }],
  ['probe-stack-canary', { LinuxFatalSignal: 231 }],
])('%s: finds every event, complete and valid', (name, expected) => {
  const events = capture(name);
  expect(counts(events)).toEqual(expected);
  for (const event of events) {
    expect(readEvent(eventJson(event))).toMatchObject({ ok: true, event });
    if (event.event.type === 'LinuxFatalSignal') {
      expect(Object.keys(event.event.stack_dump).length).toBeGreaterThanOrEqual(24);
      expect(event.event.stack_dump.GS).toBe('0000000000000000');
    }
  }
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort());
});

test('finds eight incidents in the assorted faults: one suppression and seven crashes, each by its trap, its signal or both', () => {
  const events = capture('assorted-faults');
  const happenings = new Map<string, string[]>();
  for (const { event } of events) {
    const pid =
      event.type === 'LinuxFatalSignal' ? event.stack_dump.PID : event.type === 'LinuxKernelTrap' ? event.pid : '-';
    const what =
      event.type === 'LinuxFatalSignal'
        ? event.signal
        : event.type === 'LinuxKernelTrap'
          ? event.trap.type
          : event.type;
    happenings.set(String(pid), [...(happenings.get(String(pid)) ?? []), what]);
  }
  expect(Object.fromEntries(happenings)).toEqual({
    '-': ['LinuxSuppressedCallback'],
    26780: ['Segfault', 'SIGSEGV'],
    26781: ['Segfault', 'SIGSEGV'],
    26782: ['InvalidOpcode', 'SIGILL'],
    26783: ['SIGIOT'],
    26785: ['GeneralProtectionFault', 'SIGSEGV'],
    26786: ['Segfault', 'SIGSEGV'],
    26787: ['GeneralProtectionFault', 'SIGSEGV'],
  });
});

test('returns one of them completely', () => {
  expect(eventJson(capture('assorted-faults')[10] as EventV1)).toBe(
    '{"version":"V1","timestamp":"1970-01-01T00:38:40.661714Z","hostname":"h","event":{"type":"LinuxKernelTrap",' +
      '"facility":"Kern","level":"Info","errcode":{"access_mode":"User","access_type":"Write","instruction_fetch":false,' +
      '"protection_keys_block_access":false,"reason":"ProtectionFault","use_of_reserved_bit":false},' +
      '"ip":94227987796455,"sp":140732032296912,"pid":26786,"procname":"imaged",' +
      '"trap":{"type":"Segfault","location":18446744071578845184},"file":"imaged","vmasize":4096,"vmastart":94227987795968}}',
  );
});

test('the short dialect names signals like released versions of the reference detector', () => {
  const [event] = capture('probe-stack-canary') as [EventV1];
  expect(JSON.parse(eventJson(event, 'short'))).toMatchObject({ event: { signal: 'Iot' } });
  expect(readEvent(eventJson(event, 'short')).ok).toBe(false);
  expect(readEvent(eventJson(event, 'short'), { signalDialect: 'short' })).toMatchObject({ ok: true, event });
});
