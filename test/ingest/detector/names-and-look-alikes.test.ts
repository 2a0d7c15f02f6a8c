import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { CPU_LIKELY, signal } from './dialect-cases.ts';

test.each([
  'Web Content',
  'PM2 v1: Go',
  'IPMI[sensors]',
  '(udev-worker)',
  'kworker/u8:2',
  'trailing ',
  'x[1]: segfault',
  'a[1] trap int3',
  'ip:1 sp:2 err',
  'traps: x',
  ']:[7]',
  '日本語',
])('the process name %j comes out whole, from a segfault, a trap and a fatal signal', (name) => {
  const text = [
    `${name}[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]`,
    `traps: ${name}[77] trap invalid opcode ip:401005 sp:7ffd00000000 error:0 in f[401000+1000]`,
    `exe: ${name}: potentially unexpected fatal signal 11.`,
    `CPU: 0 UID: 0 PID: 77 Comm: ${name} Not tainted 6.18.0 #1 PREEMPT(none) `,
    'RIP: 0033:0x401005',
  ].join('\n');
  const events = detectEventsFromText(text, { hostname: null }).map(({ event }) => event);
  expect(events.map(nameOf)).toEqual([name, name, name]);
});

test.each(['httpd', 'a name of 15 by'])('a loaded crash kernel is no part of the name %j', (name) => {
  const text = [
    'potentially unexpected fatal signal 11.',
    `CPU: 0 PID: 77 Comm: ${name} Kdump: loaded Not tainted 5.14.0 #1`,
    'RIP: 0033:0x401005',
  ].join('\n');
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([
    { event: signal('SIGSEGV', { CPU: '0', PID: '77', Comm: name, RIP: '0033:0x401005' }) },
  ]);
});

test('spaces before a name are padding, in traps, fatal signals and the rows of their dumps', () => {
  const text = [
    '  x[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]',
    'traps:   x[77] trap invalid opcode ip:401005 sp:7ffd00000000 error:0 in f[401000+1000]',
    'exe:   x: potentially unexpected fatal signal 11.',
    'CPU: 0 UID: 0 PID: 77 Comm:   x Not tainted 6.18.0 #1 PREEMPT(none) ',
    'RIP: 0033:0x401005',
  ].join('\n');
  const events = detectEventsFromText(text, { hostname: null }).map(({ event }) => event);
  expect(events.map(nameOf)).toEqual(['x', 'x', 'x']);
  expect(events[2]).toMatchObject({ stack_dump: { RIP: '0033:0x401005' } });
});

test.each([
  'libc-2.19.so (deleted)',
  'memfd:jit (deleted)',
  'a in b',
  'b[1+2]',
  `n[1+2] ${CPU_LIKELY}`,
  'x[1]: segfault at 0 ip 0 sp 0 error 4 in y[1+2]',
  'with space, and: colon',
])('the file name %j comes out whole', (file) => {
  for (const tail of ['', ` ${CPU_LIKELY}`, ' ']) {
    const text = `p[5]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in ${file}[5,401000+1000]${tail}`;
    expect(detectEventsFromText(text, { hostname: null })).toMatchObject([
      { event: { procname: 'p', file, vmastart: 0x401000, vmasize: 0x1000 } },
    ]);
  }
});

test.each([
  'printk: systemd: 25 output lines suppressed due to ratelimiting',
  'umip: wine[123] ip:401000 sp:7ffd0000: SGDT instruction cannot be used by applications.',
  'x86/split lock detection: #AC: qemu/123 took a split_lock trap at address: 0x7f0000000000',
  'a.out[77] bad frame in rt_sigreturn frame:00007ffd ip:401000 sp:7ffd0000 orax:ffffffffffffffff in a.out[400000+1000]',
  'a.out[77] vsyscall attempted with vsyscall=none ip:ffffffffff600000 cs:33 sp:7ffd ax:7ffd si:0 di:7ffd',
  'watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [stress:1234]',
  'systemd[1]: nginx.service: Main process exited, code=dumped, status=11/SEGV',
  'systemd-coredump[99]: Process 77 (a.out) of user 0 dumped core.',
  'a.out[77]: segfault at 0 ip',
])('no event: %s', (text) => {
  expect(detectEventsFromText(`${text}\nRIP: 0033:0x401005\nRAX: 0000000000000000`, { hostname: null })).toEqual([]);
});

test('a kernel oops has the same rows, but is an event of its own and adds no rows to a truncated dump before it', () => {
  const text = [
    'exe: victim: potentially unexpected fatal signal 11.',
    'BUG: kernel NULL pointer dereference, address: 0000000000000008',
    'Oops: 0000 [#1] SMP PTI',
    'CPU: 0 PID: 77 Comm: victim Not tainted 6.1.0 #1',
    'RIP: 0010:foo+0x12/0x40 [bar]',
    'RSP: 0018:ffffb493c0e9bd88 EFLAGS: 00010246',
    'RAX: dead000000000000 RBX: dead000000000000 RCX: dead000000000000',
  ].join('\n');
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([
    { event: signal('SIGSEGV', { Comm: 'victim' }) },
    { event: { type: 'LinuxKernelTrap', trap: { type: 'Segfault', location: 8 }, errcode: { access_mode: 'Kernel' } } },
  ]);
});

test('signals without a name in the format (SIGSYS, real-time) give no event, and their rows go to no other dump', () => {
  const text = [
    'exe: a: potentially unexpected fatal signal 11.',
    'CPU: 0 UID: 0 PID: 1000 Comm: a Not tainted 6.18.0 #1',
    'exe: b: potentially unexpected fatal signal 31.',
    'CPU: 1 UID: 0 PID: 1001 Comm: b Not tainted 6.18.0 #1',
    'RIP: 0033:0xb',
  ].join('\n');
  const dump = { CPU: '0', UID: '0', PID: '1000', Comm: 'a' };
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([{ event: signal('SIGSEGV', dump) }]);
});

function nameOf(event: EventType): unknown {
  return event.type === 'LinuxFatalSignal' ? event.stack_dump.Comm : event.procname;
}
