import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createProcessReader } from '#ingest/detector/attribution/process-snapshot.ts';
import { fromEpochUs } from '#ingest/detector/lines/calendar-time.ts';
import { createCrashMerger } from '#ingest/detector/tracefs/merge-crashes.ts';
import { createTraceLines } from '#ingest/detector/tracefs/trace-lines.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

/** Address of `raise` in the C library: random for each execution, inherited by forks. */
const RAISE = 0x7f10_0004_1eec;
const LIBRARY = 0x7f10_0000_0000;
const CONTAINER = '3b8b55a8c6c2d2f4'.repeat(4);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'canary-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A process of the web server as /proc shows it. */
function addProcess(pid: number, shift: number): void {
  const folder = join(root, 'proc', String(pid));
  const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
  const hex = (address: number) => address.toString(16);
  writeFileSync(
    join(folder, 'maps'),
    `${hex(LIBRARY + shift)}-${hex(LIBRARY + shift + 0x10_0000)} r-xp 00000000 fe:00 77 /usr/lib/libc.so.6\n`,
  );
  if (!isNew) return;
  writeFileSync(join(folder, 'status'), 'Name:\tnginx\nPPid:\t0\nUid:\t33\t33\t33\t33\n');
  writeFileSync(join(folder, 'cgroup'), `0::/system.slice/docker-${CONTAINER}.scope\n`);
  symlinkSync('/usr/sbin/nginx', join(folder, 'exe'));
}

interface Abort {
  readonly pid: number;
  readonly seconds: number;
  /** Random offset of the library in this execution. */
  readonly shift: number;
}

/** Returns the detections for aborts that only the kernel trace shows, after the whole trace. */
function detect(aborts: readonly Abort[]) {
  const merger = createCrashMerger({
    hostname: 'web-1',
    timestampOf: (us) => fromEpochUs(us) as string,
    now: () => 0,
  });
  const lines = createTraceLines(createProcessReader(root));
  for (const { pid, seconds, shift } of aborts) {
    addProcess(pid, shift);
    const header = `           nginx-${pid}   [001] d..1. ${seconds.toFixed(6)}: `;
    const text = `${header}signal_deliver: sig=6 errno=0 code=-6 sa_handler=0 sa_flags=0\n${header}<user stack trace>\n => <${(RAISE + shift).toString(16)}>\n`;
    for (const crash of lines.push(text)) merger.takeTrace(crash);
  }
  for (const crash of lines.flush()) merger.takeTrace(crash);
  const events = merger.drain(true).map(({ event }) => readEvent(stringifyExact(event)));
  expect(events).toHaveLength(aborts.length);
  return analyzeEvents(
    events.filter((event) => event.ok),
    DEFAULT_DETECTION_SETTINGS,
  );
}

const times = (count: number, abort: (i: number) => Abort) => Array.from({ length: count }, (_value, i) => abort(i));

test('finds a canary probe without register dumps, and names the attacked container', () => {
  const found = detect(times(60, (i) => ({ pid: 100 + i, seconds: 1_000 + i / 20, shift: 0 })));
  expect(found).toMatchObject([
    {
      rule: { id: 'stack-canary-probe' },
      hostname: 'web-1',
      procname: 'nginx',
      crashes: 60,
      executable: '/usr/sbin/nginx',
      uid: 33,
      container: CONTAINER,
    },
  ]);
});

test('a program that is executed again after each abort is not a canary probe', () => {
  // A supervisor that forks and executes, and a shim that executes itself again with the same process id.
  for (const pidOf of [(i: number) => 100 + i, () => 7]) {
    const found = detect(times(130, (i) => ({ pid: pidOf(i), seconds: 1_000 + i * 3, shift: i * 0x1000 })));
    expect(found.map(({ rule }) => rule.id)).not.toContain('stack-canary-probe');
  }
});

test('one process id that dies again within two seconds is two crashes', () => {
  const found = detect(times(60, (i) => ({ pid: 7, seconds: 1_000 + i / 20, shift: 0 })));
  expect(found).toMatchObject([{ rule: { id: 'stack-canary-probe' }, crashes: 60, container: CONTAINER }]);
});
