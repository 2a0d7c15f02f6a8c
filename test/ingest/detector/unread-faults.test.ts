import { expect, test } from 'vitest';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import { createUnreadReport } from '#ingest/detector/unread-report.ts';

function read(text: string) {
  const parser = createKernelLogParser({ hostname: null });
  const events = [...text.split('\n').flatMap((line) => parser.push(line)), ...parser.flush()];
  return { events: events.length, unread: Object.fromEntries(parser.unreadForms) };
}

test.each([
  ['x86 trap', 'traps: mysqld[280069] general protection fault ip:7f81f14bc898'],
  ['signal message', 'nginx[8194]: segfault at 0 ip'],
  ['signal message', 'x y[5]: unhandled something new (11) at 0x0'],
  ['fatal signal', 'x: potentially unexpected fatal signal eleven.'],
  ['undefined instruction', 'x (7): undefined instruction: pc=?'],
  ['PaX', 'PAX: terminating task: /usr/bin/gdb(gdb):20517, uid/euid: 1000/1000, PC: 00000383'],
  ['grsecurity', 'grsec: From 10.0.0.1: Illegal instruction occurred at 000012 in /bin/x[x:9] uid/euid:0/0'],
  ['WSL', 'WSL (12168 - CaptureCrash): Capturing crash for pid: 43975, executable: !usr!bin!ruby3.2, sig'],
  ['arm fault status', 'Unhandled fault: alignment exception (0x001) at 0xbefff6c5'],
  ['page fault report', 'do_page_fault(): sending a signal'],
])('a fault that is not understood is counted: %s', (form, text) => {
  expect(read(text)).toEqual({ events: 0, unread: { [form]: 1 } });
});

test('the report of a security patch on a trap that was read is not another fault', () => {
  const trap = 'traps: x[9] general protection fault ip:1 sp:2 error:0 in x[0+1000]';
  const report = 'grsec: Segmentation fault occurred at 000012 in /bin/x[x:9] uid/euid:0/0 gid/egid:0/0';
  expect(read(`${trap}\n${report}`)).toEqual({ events: 1, unread: {} });
});

test.each([
  'general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1] SMP PTI',
  'BUG: unable to handle page fault for address: ffffffffc0000000',
  'Unable to handle kernel paging request at virtual address dead000000000108',
])('a fault of the kernel is an event and no fault that is not understood: %s', (text) => {
  expect(read(text)).toEqual({ events: 1, unread: {} });
});

test.each([
  'systemd[1]: nginx.service: Main process exited, code=dumped, status=11/SEGV',
  'audit: type=1701 audit(1700000000.123:45): comm="a.out" exe="/tmp/a.out" sig=11 res=1',
  'x86/split lock detection: #AC: qemu/123 took a split_lock trap at address: 0x7f0000000000',
  'printk: systemd: 25 output lines suppressed due to ratelimiting',
  'DMAR: [DMA Read] Request device [00:02.0] fault addr 0 [fault reason 06] PTE Read access is not set',
  'usb 1-1: device descriptor read/64, error -71',
  'Memory protection keys: enabled',
  'mce: CPU supports 9 MCE banks',
  '30,1,5,-;watcher[7]: segfault at least once a day',
])('no fault of a user process: %s', (text) => {
  expect(read(text)).toEqual({ events: 0, unread: {} });
});

test('unread faults are reported by form: the first one, then each time their number has grown tenfold', () => {
  const parser = createKernelLogParser({ hostname: null });
  const logged: object[] = [];
  const report = createUnreadReport(parser, (_level, fields) => logged.push(fields));
  for (let at = 0; at < 120; at++) {
    parser.push('nginx[8194]: segfault at 0 ip');
    if (at === 50) parser.push('do_page_fault(): sending a signal');
    report();
  }
  expect(logged).toEqual([
    { form: 'signal message', count: 1 },
    { form: 'signal message', count: 10 },
    { form: 'page fault report', count: 1 },
    { form: 'signal message', count: 100 },
  ]);
});
