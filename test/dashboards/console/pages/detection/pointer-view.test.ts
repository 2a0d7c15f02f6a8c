import { expect, test } from 'vitest';
import type { EventRecord } from '#dashboards/console/src/pages/detection/detection-types.ts';
import { pointerView } from '#dashboards/console/src/pages/detection/pointer-view.ts';

let made = 0;
function record(
  time: string,
  event: { readonly type: string; readonly [name: string]: unknown },
  hex: EventRecord['hex'] = {},
): EventRecord {
  made += 1;
  const at = `2026-03-01T00:00:${time}Z`;
  return {
    id: `t~0~${made}`,
    topic: 't',
    partition: 0,
    offset: made,
    received: at,
    time: at,
    hex,
    event: { version: 'V1', timestamp: at, hostname: 'h', event },
  };
}
const trap = (time: string, ip: string, vmastart: string) =>
  record(time, { type: 'LinuxKernelTrap', file: 'nginx', vmasize: 8_192 }, { ip, vmastart });
const signal = (time: string, ip: string) => record(time, { type: 'LinuxFatalSignal' }, { ip });
const suppressed = (time: string, count: number) =>
  record(time, { type: 'LinuxSuppressedCallback', function_name: 'show_signal_msg', count });
const at = Date.parse('2026-03-01T00:00:00Z') / 1_000;

test('keeps every byte of addresses beyond 2^53 as offsets of their mapping, wherever it was mapped', () => {
  const view = pointerView(
    [
      trap('01.000000000', '0xffffffffff600001', '0xffffffffff600000'),
      trap('02.000000000', '0xffffffffffe00003', '0xffffffffffe00000'),
      signal('03.000000000', '0xffffffffffe00005'),
    ],
    'ip',
  );
  expect(view?.points.map(({ offset, kind }) => [offset, kind])).toEqual([
    [1, 'trap'],
    [3, 'trap'],
    [5, 'signal'],
  ]);
  expect(view?.mapping).toEqual({ file: 'nginx', size: 8_192, places: 2 });
  expect(view?.base).toBeNull();
});

test('assigns unlogged crashes to the time between two lines of the same kernel function, to the microsecond', () => {
  const view = pointerView(
    [
      trap('09.000005000', '0x401003', '0x401000'),
      suppressed('09.000001000', 89),
      trap('03.000000000', '0x401001', '0x401000'),
    ],
    'ip',
  );
  expect(view?.unlogged).toEqual([{ from: at + 3, to: at + 9, count: 89 }]);
  expect(view?.points.map(({ seconds }) => seconds - at)).toEqual([3, 9]);
});

test('does not count a suppressed trap line as unlogged if its dump was logged', () => {
  const dumps = [signal('05.000000000', '0x401002'), signal('08.000000000', '0x401003')];
  const unlogged = (count: number) =>
    pointerView([trap('03.000000000', '0x401001', '0x401000'), ...dumps, suppressed('09.000000000', count)], 'ip')
      ?.unlogged;
  expect(unlogged(5)).toEqual([{ from: at + 3, to: at + 9, count: 3 }]);
  expect(unlogged(2)).toEqual([]);
});

test('without a mapping, counts offsets from the page of the lowest address, and does not draw crashes far away', () => {
  expect(pointerView([signal('01.000000000', '0x7f0000001010')], null)).toMatchObject({
    base: '0x7f0000001000',
    mapping: undefined,
    points: [{ offset: 16 }],
  });
  const view = pointerView(
    [trap('01.000000000', '0x401001', '0x401000'), signal('02.000000000', '0x7ffc0a5af5a8')],
    'ip',
  );
  expect(view).toMatchObject({ elsewhere: 1, points: [{ offset: 1 }], base: '0x401000' });
});

test('without a mapping, draws the largest group of addresses, however far away a library is', () => {
  const view = pointerView(
    [
      signal('01.000000000', '0x401030'),
      signal('02.000000000', '0x7f8c2202eeec'),
      signal('03.000000000', '0x401050'),
      signal('04.000000000', '0x401040'),
      signal('05.000000000', '0x7f8c2202eeed'),
    ],
    'ip',
  );
  expect(view).toMatchObject({
    base: '0x401000',
    elsewhere: 2,
    points: [{ offset: 0x30 }, { offset: 0x50 }, { offset: 0x40 }],
  });
});

test('without a mapping or a group with most addresses, draws all of them', () => {
  const view = pointerView(
    [
      signal('01.000000000', '0x555582143030'),
      signal('02.000000000', '0x5555b9e3ad40'),
      signal('03.000000000', '0x555574520870'),
    ],
    'ip',
  );
  expect(view).toMatchObject({
    base: '0x555574520000',
    elsewhere: 0,
    points: [{ offset: 0xdc23030 }, { offset: 0x4591ad40 }, { offset: 0x870 }],
  });
});

test('reads a register from the text of a dump, and draws no plot without values', () => {
  const dump = (time: string, text: string) =>
    record(time, { type: 'LinuxFatalSignal', stack_dump: { RDI: text, RIP: '0033:0x1' } });
  const view = pointerView([dump('01.000000000', 'fffffffffffff001'), dump('02.000000000', 'fffffffffffff002')], 'rdi');
  expect(view).toMatchObject({ base: '0xfffffffffffff000', points: [{ offset: 1 }, { offset: 2 }] });
  expect(pointerView([dump('01.000000000', 'not a number')], 'rdi')).toBeUndefined();
  expect(pointerView([suppressed('01.000000000', 3)], 'ip')).toBeUndefined();
});

test('a trap line and the dump of the same crash are two points and one crash', () => {
  const hex = (ip: string) => ({ ip, vmastart: '0x401000' });
  const trapOf = (time: string, pid: number, ip: string) =>
    record(time, { type: 'LinuxKernelTrap', file: 'nginx', vmasize: 8_192, pid }, hex(ip));
  const dumpOf = (time: string, pid: number, ip: string, name = 'SIGSEGV') =>
    record(time, { type: 'LinuxFatalSignal', signal: name, stack_dump: { PID: String(pid), RIP: ip } }, { ip });
  const view = pointerView(
    [
      trapOf('01.000000000', 7, '0x401001'),
      dumpOf('01.000001000', 7, '0x401001'),
      trapOf('02.000000000', 8, '0x401002'),
      dumpOf('05.000000000', 8, '0x401002'), // another process with the same pid
      dumpOf('06.000000000', 9, '0x401003'),
      trapOf('07.000000000', 10, '0x7ffc00000000'),
      dumpOf('07.000001000', 10, '0x7ffc00000000'),
    ],
    'ip',
  );
  expect(view?.points).toHaveLength(6);
  expect(view).toMatchObject({ crashes: 5, elsewhere: 0 });
});

test('counts lines that were delivered twice once', () => {
  const crash = (pid: number, ip: string) =>
    record(
      '01.000000000',
      { type: 'LinuxKernelTrap', file: 'nginx', vmasize: 8_192, pid },
      { ip, vmastart: '0x401000' },
    );
  const lines = () => [
    crash(1, '0x401001'),
    crash(2, '0x401001'),
    crash(2, '0x401002'),
    suppressed('02.000000000', 7),
    trap('03.000000000', '0x401005', '0x401000'),
  ];
  const view = pointerView([...lines().slice(0, 4), ...lines()], 'ip');
  expect(view?.points).toHaveLength(4);
  expect(view?.crashes).toBe(4);
  expect(view?.unlogged.map(({ count }) => count)).toEqual([7]);
});

test('does not treat accessed addresses as offsets of the mapping that contains the instruction', () => {
  const access = (time: string, location: string) =>
    record(
      time,
      { type: 'LinuxKernelTrap', file: 'nginx', vmasize: 8_192 },
      { ip: '0x401005', vmastart: '0x400000', location },
    );
  const view = pointerView(
    [access('01.000000000', '0x7f1200000800'), access('02.000000000', '0x7f1200002800')],
    'address',
  );
  expect(view?.mapping).toBeUndefined();
  expect(view?.base).toBe('0x7f1200000000');
  expect(view?.points.map(({ offset }) => offset)).toEqual([0x800, 0x2800]);
});
