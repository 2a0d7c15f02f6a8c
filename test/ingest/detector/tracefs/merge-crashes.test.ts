import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { DetectedEvent } from '#ingest/detector/assembly-slot.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import { fromEpochUs } from '#ingest/detector/lines/calendar-time.ts';
import { type CrashMerger, createCrashMerger } from '#ingest/detector/tracefs/merge-crashes.ts';
import type { TraceCrash } from '#ingest/detector/tracefs/trace-crash.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

const crash: TraceCrash = {
  pid: 7,
  comm: 'nginx',
  timeUs: 1_000_100,
  signal: 11,
  code: 1,
  stack: ['0000000000401000'],
  process: null,
  mapping: null,
};
const TRAP =
  '6,1,1000000,-;nginx[7]: segfault at 0 ip 0000000000401000 sp 00007ffd1b9c0a10 error 4 in nginx[400000+100000]';
const DUMP = [
  '6,2,1000200,-;nginx: nginx: potentially unexpected fatal signal 11.',
  '4,3,1000210,-;CPU: 1 UID: 0 PID: 7 Comm: nginx Not tainted 6.18.0 #1',
  '4,4,1000220,-;RIP: 0033:0x401000',
];

function merger(clock = { ms: 0 }): CrashMerger {
  return createCrashMerger({
    hostname: 'web-1',
    timestampOf: (us) => fromEpochUs(us) as string,
    now: () => clock.ms,
  });
}

function read(...lines: string[]): readonly DetectedEvent[] {
  const parser = createKernelLogParser({ hostname: 'web-1' });
  return [...lines.flatMap((line) => parser.push(line)), ...parser.flush()];
}

const ORDERS: readonly [string, (into: CrashMerger) => void][] = [
  ['the trace last', (into) => [into.takeLog(read(TRAP, ...DUMP)), into.takeTrace(crash)]],
  ['the trace first', (into) => [into.takeTrace(crash), into.takeLog(read(TRAP, ...DUMP))]],
  [
    'the dump before the trap',
    (into) => [into.takeLog(read(...DUMP)), into.takeTrace(crash), into.takeLog(read(TRAP))],
  ],
];

test.each(ORDERS)('trap line, dump and trace are one event: %s', (_order, feed) => {
  const into = merger();
  feed(into);
  const events = into.drain(true);
  expect(events).toHaveLength(1);
  expect(events[0]?.event.event).toMatchObject({
    type: 'LinuxKernelTrap',
    pid: 7,
    file: 'nginx',
    signal: 'SIGSEGV',
    stack_dump: { PID: '7', RIP: '0033:0x401000' },
    signal_code: 1,
    user_stack: ['0x401000'],
  });
  expect(readEvent(stringifyExact(events[0]?.event)).ok).toBe(true);
});

test('a crash without a line in the kernel log becomes a fatal signal with the instruction pointer of the trace', () => {
  const into = merger();
  into.takeTrace({ ...crash, signal: 6, code: -6 });
  expect(into.drain(true)).toEqual([
    {
      seq: null,
      event: {
        version: 'V1',
        timestamp: '1970-01-01T00:00:01.000100Z',
        hostname: 'web-1',
        event: {
          type: 'LinuxFatalSignal',
          facility: 'Kern',
          level: 'Info',
          signal: 'SIGIOT',
          stack_dump: { PID: '7', Comm: 'nginx', RIP: '0x401000' },
          signal_code: -6,
          user_stack: ['0x401000'],
        },
      },
    },
  ]);
});

test('attribution completes an event, and never replaces facts of the kernel log', () => {
  const known: TraceCrash = {
    ...crash,
    process: { executable: '/usr/sbin/nginx', uid: 33 },
    mapping: { file: 'libc.so.6', vmastart: 1, vmasize: 2, file_build_id: 'ab' },
  };
  const into = merger();
  into.takeTrace(known);
  into.takeTrace({ ...known, pid: 8 });
  into.takeLog(read(TRAP));
  const [withTrap, alone] = into.drain(true).map(({ event }) => event.event);
  const process = { executable: '/usr/sbin/nginx', uid: 33 };
  expect(withTrap).toMatchObject({ file: 'nginx', vmastart: 0x40_0000, file_build_id: 'ab', process });
  expect(alone).toMatchObject({ file: 'libc.so.6', vmastart: 1, vmasize: 2, process });
});

test('the same pid later is another crash, and other events keep their order', () => {
  const into = merger();
  into.takeTrace(crash);
  into.takeLog(read('4,9,1000300,-;show_signal_msg: 3 callbacks suppressed'));
  into.takeTrace({ ...crash, timeUs: 9_000_000 });
  expect(into.drain(true).map(({ event }) => event.event.type)).toEqual([
    'LinuxFatalSignal',
    'LinuxSuppressedCallback',
    'LinuxFatalSignal',
  ]);
});

test('events are held for a second, and the position of the oldest is known until then', () => {
  const clock = { ms: 0 };
  const into = merger(clock);
  into.takeTrace(crash);
  into.takeLog(read(TRAP));
  clock.ms = 999;
  expect(into.drain()).toEqual([]);
  expect(into.firstHeldSeq()).toBe(1);
  clock.ms = 1_000;
  expect(into.drain()).toMatchObject([{ seq: 1 }]);
  expect(into.firstHeldSeq()).toBeNull();
});

test.each(['probe-ip-step2', 'probe-stack-canary', 'benign-crash-loop'])(
  'merged crashes of %s give the detections that their lines give',
  (name) => {
    const text = readFileSync(new URL(`../../../fixtures/kmsg/${name}.kmsg`, import.meta.url), 'utf8');
    const lines = read(...text.split('\n'));
    const into = merger();
    into.takeLog(lines);
    const judge = (events: readonly DetectedEvent[]) =>
      [
        ...analyzeEvents(
          events.flatMap(({ event }) => {
            const result = readEvent(stringifyExact(event));
            return result.ok ? [result] : [];
          }),
          DEFAULT_DETECTION_SETTINGS,
        ),
      ].map(({ id, crashes, severity, valuesTotal }) => ({ id, crashes, severity, valuesTotal }));
    expect(judge(into.drain(true))).toEqual(judge(lines));
  },
);
