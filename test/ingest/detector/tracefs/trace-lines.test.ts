import { expect, test } from 'vitest';
import type { ProcessReader } from '#ingest/detector/attribution/process-snapshot.ts';
import { createTraceLines } from '#ingest/detector/tracefs/trace-lines.ts';

/** Every process has ended before it can be looked up. */
const GONE: ProcessReader = { snapshot: () => null, mapping: () => null };

const deliver = (name: string, more = 'sig=11 errno=0 code=1'): string =>
  `${name.padStart(24)} [001] d..1.  2105.257902: signal_deliver: ${more} sa_handler=0 sa_flags=0\n`;
const stack = (name: string, ...frames: string[]): string =>
  `${name.padStart(24)} [001] d..1.  2105.257911: <user stack trace>\n${frames.map((frame) => ` =>  <${frame}>\n`).join('')}`;

test('a signal delivery and its stack are one crash', () => {
  const lines = createTraceLines(GONE);
  const text = deliver('nginx-16265') + stack('nginx-16265', '000055d8abf6327a', '00007fd14d2efeec');
  expect([...lines.push(text), ...lines.flush()]).toEqual([
    {
      pid: 16_265,
      comm: 'nginx',
      timeUs: 2_105_257_902,
      signal: 11,
      code: 1,
      stack: ['000055d8abf6327a', '00007fd14d2efeec'],
      process: null,
      mapping: null,
    },
  ]);
});

test('a stack in the next read still belongs to its delivery, also behind the delivery of another process', () => {
  const lines = createTraceLines(GONE);
  expect(lines.push(deliver('a-1') + deliver('b-2', 'sig=6 errno=0 code=-6'))).toEqual([]);
  const crashes = lines.push(stack('b-2', '00000000000000b0') + stack('a-1', '00000000000000a0'));
  expect(crashes).toMatchObject([
    { pid: 2, signal: 6, code: -6, stack: ['00000000000000b0'] },
    { pid: 1, signal: 11, code: 1, stack: ['00000000000000a0'] },
  ]);
});

test.each([
  ['Web Content-77', 'Web Content', 77],
  ['x-1 [0] 2.3: -78', 'x-1 [0] 2.3: ', 78],
  ['a-1: <user -79', 'a-1: <user ', 79],
  ['<...>-80', null, 80],
])('the name of %s', (name, comm, pid) => {
  const lines = createTraceLines(GONE);
  lines.push(deliver(name));
  expect(lines.flush()).toMatchObject([{ comm, pid, stack: [] }]);
});

test('a name with a line break cannot hide its crash as a frame of another stack', () => {
  const lines = createTraceLines(GONE);
  lines.push(deliver('a-1') + stack('a-1', '00000000000000a0') + deliver('x\n => <41>-82'));
  expect(lines.flush()).toMatchObject([{ pid: 82 }]);
});

test('other entries and markers of lost entries are not crashes', () => {
  const lines = createTraceLines(GONE);
  const marker = '           <...>-9       [000] .....  1.000001: tracing_mark_write: stop\n';
  expect(lines.push(`CPU:1 [LOST 12 EVENTS]\n${marker}`)).toEqual([]);
  expect(lines.flush()).toEqual([]);
});

test('the memory of the reader stays bounded on a kernel without user stacks', () => {
  const lines = createTraceLines(GONE);
  let reported = 0;
  for (let pid = 1; pid <= 1000; pid += 1) reported += lines.push(deliver(`p-${pid}`)).length;
  expect(reported).toBe(1000 - 256);
  expect(lines.flush()).toHaveLength(256);
});

test('the process is looked up with its delivery, and the mapping with its instruction pointer', () => {
  const asked: unknown[] = [];
  const lines = createTraceLines({
    snapshot(pid, comm) {
      asked.push(pid, comm);
      return { pid, facts: { uid: 33 }, maps: '' };
    },
    mapping(_snapshot, address) {
      asked.push(address);
      return { file: 'nginx', vmastart: 4096, vmasize: 4096 };
    },
  });
  lines.push(deliver('nginx-5'));
  expect(asked).toEqual([5, 'nginx']);
  expect(lines.push(stack('nginx-5', '0000000000001234'))).toMatchObject([
    { process: { uid: 33 }, mapping: { file: 'nginx' } },
  ]);
  expect(asked.at(-1)).toBe('0000000000001234');
});
