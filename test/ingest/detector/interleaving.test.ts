import { expect, test } from 'vitest';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

/**
 * The lines of one dump. Every value contains the process id, so a row that was assigned to the wrong dump is visible.
 */
function dump(comm: string, pid: number, signal = 11): string[] {
  const v = pid.toString(16).padStart(16, '0');
  return [
    `exe: ${comm}: potentially unexpected fatal signal ${signal}.`,
    `CPU: ${pid % 4} UID: 0 PID: ${pid} Comm: ${comm} Not tainted 6.18.0 #1 PREEMPT(none) `,
    `RIP: 0033:0x${pid.toString(16)}`,
    'Code: 64 ff ff ff c6 05 d5 2e 00 00 01 5d c3 <c6> 00 01 90',
    `RSP: 002b:${v} EFLAGS: 00010246`,
    `RAX: ${v} RBX: ${v} RCX: ${v}`,
    `RDX: ${v} RSI: ${v} RDI: ${v}`,
    `RBP: ${v} R08: ${v} R09: ${v}`,
    `R10: ${v} R11: ${v} R12: ${v}`,
    `R13: ${v} R14: ${v} R15: ${v}`,
    `FS:  ${v} GS:  ${v}`,
  ];
}

function events(lines: readonly string[]): EventV1[] {
  const parser = createKernelLogParser({ hostname: null });
  return [...lines.flatMap((line) => parser.push(line)), ...parser.flush()].map(({ event }) => event);
}

const records = (lines: readonly string[], callers?: readonly string[], usApart = 3): string[] =>
  lines.map((text, at) => `6,${at},${1_000_000 + at * usApart},-${callers ? `,caller=${callers[at]}` : ''};${text}`);

/** The processes whose values each dump contains. */
function owners(event: EventV1): string[] {
  if (event.event.type !== 'LinuxFatalSignal') return [event.event.type];
  const { CPU: _cpu, UID: _uid, Comm: _comm, EFLAGS: _flags, PID, ...rest } = event.event.stack_dump;
  const values = Object.values(rest).map((value) => Number.parseInt(value.replace(/^.*:(0x)?/, ''), 16));
  return [...new Set([Number(PID), ...values])].map(String);
}

test('with caller ids, each row is assigned to its dump, however two dumps interleave', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 200; round++) {
    const left = dump('same', 100);
    const right = dump('same', 200, 6);
    const lines: string[] = [];
    const callers: string[] = [];
    while (left.length > 0 || right.length > 0) {
      const fromLeft = right.length === 0 || (left.length > 0 && random.next() < 0.5);
      lines.push((fromLeft ? left : right).shift() as string);
      callers.push(fromLeft ? 'T100' : 'T200');
    }
    const found = events(records(lines, callers));
    expect(found.map(owners).sort()).toEqual([['100'], ['200']]);
    expect(
      found.every(({ event }) => event.type === 'LinuxFatalSignal' && Object.keys(event.stack_dump).length === 24),
    ).toBe(true);
  }
});

test('without caller ids, two dumps in step are distinguished by name and order', () => {
  const [left, right] = [dump('alpha', 100), dump('beta', 200)];
  const lines = left.flatMap((line, at) => [line, right[at] as string]);
  expect(events(records(lines)).map(owners)).toEqual([['100'], ['200']]);
});

test('a truncated dump ends where the next one begins, and gets none of its rows', () => {
  for (let cut = 1; cut < 11; cut++) {
    const found = events(records([...dump('alpha', 100).slice(0, cut), ...dump('beta', 200)]));
    expect(found).toHaveLength(2);
    expect(found[1] && owners(found[1])).toEqual(['200']);
    expect(found[1]?.event).toMatchObject({ stack_dump: { Comm: 'beta', R15: (200).toString(16).padStart(16, '0') } });
    expect(found[0]?.event).toMatchObject({ type: 'LinuxFatalSignal', stack_dump: { Comm: 'alpha' } });
  }
});

test('the pointers of the trap line assign the rows, even between processes with the same name', () => {
  const trap = (pid: number): string =>
    `w[${pid}]: segfault at 0 ip ${pid.toString(16).padStart(16, '0')} sp ${pid.toString(16).padStart(16, '0')} error 4 likely on CPU 0 (core 0, socket 0)`;
  const [a, b] = [dump('w', 100), dump('w', 200)] as [string[], string[]];
  const lines = [trap(100), trap(200), a[0], a[1], b[0], b[1], b[2], a[2], a[4], b[4]] as string[];
  const found = events(records(lines));
  expect(found.slice(2).map(owners)).toEqual([['100'], ['200']]);
});

test('emits events in the order of their first lines; an open event delays later ones for up to a second of log time', () => {
  const parser = createKernelLogParser({ hostname: null });
  const cutShort = '6,1,1000000,-,caller=T1;a: a: potentially unexpected fatal signal 11.';
  expect(parser.push(cutShort)).toEqual([]);
  expect(parser.firstOpenSeq()).toBe(1);
  expect(parser.push('4,2,1100000,-,caller=T2;show_signal_msg: 5 callbacks suppressed')).toEqual([]);
  expect(parser.push('6,3,1900000,-,caller=T3;unrelated')).toEqual([]);
  const late = parser.push('6,4,2100001,-,caller=T3;show_signal_msg: 6 callbacks suppressed');
  expect(late.map(({ event, seq }) => [event.event.type, seq])).toEqual([
    ['LinuxFatalSignal', 1],
    ['LinuxSuppressedCallback', 2],
    ['LinuxSuppressedCallback', 4],
  ]);
  expect(parser.firstOpenSeq()).toBeNull();
});

test('an idle source is flushed; rows that come after that belong to no dump', () => {
  const parser = createKernelLogParser({ hostname: null });
  const [head, ...rows] = records(dump('a', 100)) as [string, ...string[]];
  parser.push(head);
  expect(parser.flush()).toHaveLength(1);
  expect(rows.flatMap((row) => parser.push(row))).toEqual([]);
  expect(parser.flush()).toEqual([]);
});

test('a flood of open dumps stays within its limits and loses none', () => {
  const parser = createKernelLogParser({ hostname: null });
  let found = 0;
  for (let at = 0; at < 20_000; at++) {
    found += parser.push(`6,${at},1000000,-,caller=T${at};e: c${at}: potentially unexpected fatal signal 11.`).length;
    expect(at + 1 - found).toBeLessThanOrEqual(64);
  }
  expect(found + parser.flush().length).toBe(20_000);
});
