import { expect, test } from 'vitest';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import type { EventType } from '#schemas/events/event.ts';

/* One case for every dialect that the detector supports, by name. The other tests in this folder cover the details. */

interface Promised {
  readonly text: string;
  /** The minimum content of the event. Null: no event, and the line is counted as an unread fault. */
  readonly says: object | null;
}

const FAULT = 'x y[7]: segfault at 10 ip 0000000000401005 sp 00007ffd00000000 error 4 in x[401000+1000]';
const SEGFAULT = {
  type: 'LinuxKernelTrap',
  procname: 'x y',
  pid: 7,
  ip: 0x401005,
  trap: { type: 'Segfault', location: 0x10 },
};
const segfault = (text: string): Promised => ({ text, says: SEGFAULT });
const trap = (text: string, fields: object): Promised => ({ text, says: { type: 'LinuxKernelTrap', ...fields } });
const generic = (text: string, fields: object = {}): Promised =>
  trap(text, { trap: { type: 'Generic', description: expect.any(String) }, ...fields });
const opcode = (text: string, fields: object = {}): Promised =>
  trap(text, { trap: { type: 'InvalidOpcode' }, ...fields });
const protection = (text: string): Promised =>
  trap(text, { procname: 'x', pid: 7, ip: 1, trap: { type: 'GeneralProtectionFault' } });
const at = (location: number, fields: object = {}) => ({ trap: { type: 'Segfault', location }, ...fields });
const signal = (text: string, name: string, dump: object, fields: object = {}): Promised => ({
  text,
  says: { type: 'LinuxFatalSignal', signal: name, stack_dump: expect.objectContaining(dump), ...fields },
});
const witness = (text: string, kind: string): Promised =>
  signal(text, 'SIGIOT', { PID: '7', Comm: 'x' }, { witness: kind });
const HEADER = 'potentially unexpected fatal signal 11.';
const ABEND = 'auid=1 uid=33 gid=33 ses=1 pid=7 comm="x" exe="/usr/bin/x" sig=6 res=1';

const LINES: Readonly<Record<string, Promised>> = {
  'syslog without a host name': segfault(`Jun  7 19:55:57 kernel: ${FAULT}`),
  'short-iso without a host name': segfault(`2026-06-07T19:55:57+0000 kernel: ${FAULT}`),
  'short-unix without a host name': segfault(`1780862157.123456 kernel: ${FAULT}`),
  'dmesg -e from the tenth day on': segfault(`[Nov23 07:24] ${FAULT}`),
  'dmesg -H within a minute': segfault(`[  +0.000012] ${FAULT}`),
  'spaces before the name': segfault(`[ 12.000001]   ${FAULT}`),
  'a crash kernel is loaded': signal(
    `${HEADER}\nCPU: 0 PID: 7 Comm: httpd Kdump: loaded Not tainted 4.18.0 #1`,
    'SIGSEGV',
    {
      Comm: 'httpd',
      PID: '7',
    },
  ),
  'CR2 of x86-64 before 4.20': signal(
    `${HEADER}\nCPU: 0 PID: 7 Comm: x Not tainted 4.4.0 #1\nRIP: 0033:[<0000000000401005>]  [<0000000000401005>] 0x401005\nFS:  00007fd15e0e7500(0000) GS:ffff9b08ffd00000(0000) knlGS:0000000000000000\nCS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033\nCR2: 0000000000000010 CR3: 0000000132d26005 CR4: 00000000000606a0`,
    'SIGSEGV',
    { RIP: '0033:0x0000000000401005', FS: '00007fd15e0e7500', CR2: '0000000000000010' },
  ),
  'CR2 of i386 before 4.20': signal(
    `${HEADER}\nCPU: 0 PID: 7 Comm: x Not tainted 3.16.0 #1\nEIP: 0073:[<08048415>] EFLAGS: 00010286 CPU: 0\n DS: 007b ES: 007b FS: 0000 GS: 0033 SS: 007b\nCR0: 8005003b CR2: 00000010 CR3: 36c9f000 CR4: 000006d0`,
    'SIGSEGV',
    { EIP: '0073:0x08048415', CR2: '00000010' },
  ),
  'general protection': protection('x[7] general protection ip:1 sp:2 error:0 in x[0+1000]'),
  'general protection with traps:': protection('traps: x[7] general protection ip:1 sp:2 error:0 in x[0+1000]'),
  'general protection fault': protection('traps: x[7] general protection fault ip:1 sp:2 error:0 in x[0+1000]'),
  'trap general protection': protection('traps: x[7] trap general protection ip:1 sp:2 error:0'),
  'general protection with a selector': protection(
    'traps: x[7] general protection fault ip:1 sp:2 error:12a in x[0+1000]',
  ),
  'general protection of 2.6': protection('x[7] general protection rip:1 rsp:2 error:0'),
};

const ARCHITECTURES: Readonly<Record<string, Promised>> = {
  'arm64 before 4.15': trap(
    'x[7]: unhandled level 2 translation fault (11) at 0x00000010, esr 0x92000046\npc : [<0000000000401005>] lr : [<0000000000401000>] pstate: 60000000\nsp : 0000007ffd000000',
    at(0x10, { pid: 7, ip: 0x401005 }),
  ),
  'arm64 before 4.18, with its file': trap(
    'x[7]: unhandled level 2 translation fault (11) at 0x00000018, esr 0x92000006, in x[400000+1000]\npc : 0000000000400005',
    at(0x18, { file: 'x', ip: 0x400005 }),
  ),
  'arm64 data abort': generic(
    'x[7]: unhandled exception: DABT (lower EL), ESR 0x0000000092000006, level 2 translation fault in x[400000+1000]\npc : 0000000000400005',
    { pid: 7, ip: 0x400005 },
  ),
  'arm64 instruction abort': trap(
    'x[7]: unhandled exception: IABT (lower EL), ESR 0x0000000082000006, level 2 translation fault in x[400000+1000]\npc : 0000000000000010',
    at(0x10, { ip: 0x10 }),
  ),
  'arm64 exception of another class': generic(
    'x[7]: unhandled exception: BTI, ESR 0x0000000034000002, branch target exception in x[400000+1000]\npc : 0000000000400005',
    { ip: 0x400005 },
  ),
  'arm64 undefined instruction': opcode(
    'x[7]: unhandled exception: Unknown/Uncategorized, ESR 0x0000000002000000, undefined instruction in x[400000+1000]\npc : 0000000000400005',
  ),
  'arm64 undefined instruction before 4.18': opcode('x[7]: undefined instruction: pc=0000007f939a0700', { pid: 7 }),
  'arm64 alignment of the stack pointer': generic(
    'x[7]: SP Alignment exception: pc=0000007f939a0700 sp=0000007fc50c0b51',
    { pid: 7, ip: 0x7f_939a_0700 },
  ),
  'arm64 alignment without the process': generic('Unhandled fault: alignment fault (0x92000021) at 0x00000000005e65c5'),
  'arm32 page fault': trap(
    'x: unhandled page fault (11) at 0x00000010, code 0x017\nCPU: 0 PID: 7 Comm: x Not tainted 6.1.0 #1\nPC is at 0x8000',
    at(0x10, { procname: 'x', pid: 7, ip: 0x8000 }),
  ),
  'arm32 undefined instruction': opcode('x (7): undefined instruction: pc=004014ec', { pid: 7, ip: 0x4014ec }),
  'powerpc since 4.20': trap(
    'x[7]: segfault (11) at 10 nip 10000005 lr 10000000 code 1 in x[10000000+10000]',
    at(0x10, { pid: 7, ip: 0x1000_0005 }),
  ),
  'powerpc before 4.20': trap(
    'x[7]: unhandled signal 11 at 0000000000000010 nip 0000000010000005 lr 0000000010000000 code 30001',
    at(0x10, { pid: 7, ip: 0x1000_0005 }),
  ),
  'powerpc illegal instruction': opcode(
    'x[7]: illegal instruction (4) at 1000 nip 1000 lr 10000 code 1 in x[1000+1000]',
  ),
  'riscv segfault': trap(
    'x[7]: unhandled signal 11 code 0x1 at 0x0000000000000010 in x[10000+1000]\nCPU: 0 PID: 7 Comm: x Not tainted 6.6.0 #1\nepc : 0000000000010005 ra : 0000000000010000 sp : 0000003fff000000',
    at(0x10, { pid: 7, ip: 0x1_0005 }),
  ),
  'riscv illegal instruction': opcode('x[7]: unhandled signal 4 code 0x1 at 0x0000000000010004 in x[10000+1000]'),
  's390x user fault': trap(
    'User process fault: interruption code 0010 ilc:2 in x[1000000+1000]\nFailing address: 0000000000000000 TEID: 0000000000000800\nCPU: 0 PID: 7 Comm: x Not tainted 5.19.0 #1\nUser PSW : 0705000180000000 0000000001000010',
    at(0, { procname: 'x', pid: 7, ip: 0x100_0010 }),
  ),
  'mips page fault': trap(
    'do_page_fault(): sending SIGSEGV to x for invalid read access from 00000010\nepc = 00400005 in x[400000+1000]',
    at(0x10, { procname: 'x', ip: 0x40_0005 }),
  ),
  'loongarch page fault': trap(
    'do_page_fault(): sending SIGSEGV to x for invalid write access to 0000000000000010\nera = 0000000120000005 in x[120000000+4000]',
    at(0x10, { procname: 'x', ip: 0x1_2000_0005 }),
  ),
  'parisc page fault': trap(
    "do_page_fault() command='x' type=15 address=0x00000010 in x[10000+1000]",
    at(0x10, { procname: 'x' }),
  ),
  'i386 segfault': trap(
    'x[7]: segfault at 10 ip 08048415 sp bf97d578 error 6 in x[8048000+1000]',
    at(0x10, { ip: 0x804_8415, sp: 0xbf97_d578 }),
  ),
  'i386 trap': generic('traps: x[7] trap alignment check ip:565921a0 sp:ff953ce8 error:0 in x[56592000+1000]'),
  'i386 dump': signal(
    `${HEADER}\nCPU: 0 PID: 7 Comm: x Not tainted 3.16.0 #1\nEIP: 0073:[<08048415>] EFLAGS: 00010286 CPU: 0`,
    'SIGSEGV',
    {
      EIP: '0073:0x08048415',
    },
  ),
  'a fault that is not understood': { text: 'x[7]: unhandled something new (11) at 0x0', says: null },
};

const WITNESSES: Readonly<Record<string, Promised>> = {
  'a canary that glibc reports in syslog': witness(
    'Jan  1 00:00:00 web-1 x[7]: *** stack smashing detected ***: terminated',
    'stack-smashing',
  ),
  // musl reports nothing: it executes `hlt`, and the kernel reports a general protection fault.
  'a canary of musl': protection(
    'traps: x[7] general protection fault ip:1 sp:2 error:0 in ld-musl-x86_64.so.1[0+1000]',
  ),
  'systemd-coredump': witness(
    '{"_TRANSPORT":"journal","_COMM":"systemd-coredum","COREDUMP_PID":"7","COREDUMP_COMM":"x","COREDUMP_SIGNAL":"6","MESSAGE":"Process 7 (x) dumped core."}',
    'core-dump',
  ),
  'ANOM_ABEND in the journal': witness(
    `{"_TRANSPORT":"audit","MESSAGE":${JSON.stringify(`ANOM_ABEND ${ABEND}`)}}`,
    'audit',
  ),
  'ANOM_ABEND of auditd': witness(`type=ANOM_ABEND msg=audit(1767225600.000:12): ${ABEND}`, 'audit'),
  grsecurity: witness(
    'grsec: Abort occurred at 000003e8 in /usr/bin/x[x:7] uid/euid:33/33 gid/egid:33/33',
    'grsecurity',
  ),
  PaX: trap(
    'PAX: terminating task: /usr/bin/x(x):7, uid/euid: 33/33, PC: 00000010, SP: 5953cf80',
    at(0x10, { pid: 7, ip: 0x10 }),
  ),
  'WSL 2': witness(
    'WSL (1 - CaptureCrash): Capturing crash for pid: 7, executable: !usr!bin!x, signal: 6, port: 50005',
    'core-dump',
  ),
};

test.each(Object.entries({ ...LINES, ...ARCHITECTURES, ...WITNESSES }))('%s', (_name, { text, says }) => {
  const parser = createKernelLogParser({ hostname: null, referenceMs: Date.UTC(2026, 11, 1) });
  const events = [...text.split('\n').flatMap((line) => parser.push(line)), ...parser.flush()];
  expect(events.map(({ event }): EventType => event.event)).toMatchObject(says === null ? [] : [says]);
  expect(parser.stats.unreadFaults).toBe(says === null ? 1 : 0);
});
