import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { EventType } from '#schemas/events/v1.ts';

const USER = {
  access_mode: 'User',
  access_type: 'Read',
  instruction_fetch: false,
  protection_keys_block_access: false,
  reason: 'NoPageFound',
  use_of_reserved_bit: false,
};
const trap = (fields: object): object => ({
  type: 'LinuxKernelTrap',
  facility: 'Kern',
  level: 'Info',
  errcode: USER,
  file: null,
  vmastart: null,
  vmasize: null,
  ...fields,
});
const signal = (name: string, dump: object): object => ({
  type: 'LinuxFatalSignal',
  facility: 'Kern',
  level: 'Info',
  signal: name,
  stack_dump: dump,
});
const CPU_LIKELY = 'likely on CPU 1 (core 1, socket 0)';

/** What stands in the log, and the events it gives. */
const cases: Record<string, [string, object[]]> = {
  'segfault, older': [
    'nginx[4242]: segfault at 10 ip 00000000004005d6 sp 00007ffd0a000000 error 4 in nginx[400000+92000]',
    [
      trap({
        procname: 'nginx',
        pid: 4242,
        ip: 0x4005d6,
        sp: 0x7ffd0a000000,
        trap: { type: 'Segfault', location: 16 },
        file: 'nginx',
        vmastart: 0x400000,
        vmasize: 0x92000,
      }),
    ],
  ],
  'segfault, newer, with offset and CPU': [
    `nginx[7]: segfault at 10 ip 00000000004005d6 sp 00007ffd0a000000 error 6 in nginx[5d6,400000+1000] ${CPU_LIKELY}`,
    [
      trap({
        procname: 'nginx',
        pid: 7,
        ip: 0x4005d6,
        sp: 0x7ffd0a000000,
        errcode: { ...USER, access_type: 'Write' },
        trap: { type: 'Segfault', location: 16 },
        file: 'nginx',
        vmastart: 0x400000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'segfault without a file but with CPU': [
    `x[9]: segfault at 0 ip 0000000000000000 sp 00007ffd0a000000 error 14 ${CPU_LIKELY}`,
    [
      trap({
        procname: 'x',
        pid: 9,
        ip: 0,
        sp: 0x7ffd0a000000,
        errcode: { ...USER, instruction_fetch: true },
        trap: { type: 'Segfault', location: 0 },
      }),
    ],
  ],
  'segfault without a file, older': [
    'x[9]: segfault at 0 ip           (null) sp 00007ffd0a000000 error 14',
    [
      trap({
        procname: 'x',
        pid: 9,
        ip: 0,
        sp: 0x7ffd0a000000,
        errcode: { ...USER, instruction_fetch: true },
        trap: { type: 'Segfault', location: 0 },
      }),
    ],
  ],
  'segfault of 2.6 with rip': [
    'sh[3843]: segfault at 0000000000000000 rip 0000000000400000 rsp 0000007fbffff8b8 error 14',
    [
      trap({
        procname: 'sh',
        pid: 3843,
        ip: 0x400000,
        sp: 0x7fbffff8b8,
        errcode: { ...USER, instruction_fetch: true },
        trap: { type: 'Segfault', location: 0 },
      }),
    ],
  ],
  'addresses above 2^53': [
    `x[9]: segfault at ffffffffff600000 ip ffffffffff600001 sp fffffffffffffffe error 5 ${CPU_LIKELY}`,
    [
      trap({
        procname: 'x',
        pid: 9,
        ip: 0xffffffffff600001n,
        sp: 0xfffffffffffffffen,
        errcode: { ...USER, reason: 'ProtectionFault' },
        trap: { type: 'Segfault', location: 0xffffffffff600000n },
      }),
    ],
  ],
  'all error bits': [
    `x[9]: segfault at 1 ip 0000000000000002 sp 0000000000000003 error 3f ${CPU_LIKELY}`,
    [
      trap({
        procname: 'x',
        pid: 9,
        ip: 2,
        sp: 3,
        errcode: {
          access_mode: 'User',
          access_type: 'Write',
          instruction_fetch: true,
          protection_keys_block_access: true,
          reason: 'ProtectionFault',
          use_of_reserved_bit: true,
        },
        trap: { type: 'Segfault', location: 1 },
      }),
    ],
  ],
  'init itself is an emergency': [
    `systemd[1]: segfault at 1 ip 0000000000000002 sp 0000000000000003 error 4 ${CPU_LIKELY}`,
    [trap({ procname: 'systemd', pid: 1, ip: 2, sp: 3, level: 'Emergency', trap: { type: 'Segfault', location: 1 } })],
  ],
  'the mapping as a message of its own': [
    'a[1]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4\n in liba.so[401000+1000]',
    [
      trap({
        procname: 'a',
        pid: 1,
        level: 'Emergency',
        ip: 0x401005,
        sp: 0x7ffd00000000,
        trap: { type: 'Segfault', location: 0 },
        file: 'liba.so',
        vmastart: 0x401000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'mappings of two processes, interleaved': [
    [
      'a[2]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4',
      'b[3]: segfault at 0 ip 0000000000501005 sp 00007ffd00000000 error 4',
      ' in libb.so[501000+1000]',
      ' in liba.so[401000+1000]',
    ].join('\n'),
    [
      trap({
        procname: 'a',
        pid: 2,
        ip: 0x401005,
        sp: 0x7ffd00000000,
        trap: { type: 'Segfault', location: 0 },
        file: 'liba.so',
        vmastart: 0x401000,
        vmasize: 0x1000,
      }),
      trap({
        procname: 'b',
        pid: 3,
        ip: 0x501005,
        sp: 0x7ffd00000000,
        trap: { type: 'Segfault', location: 0 },
        file: 'libb.so',
        vmastart: 0x501000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'invalid opcode': [
    'traps: a.out[33] trap invalid opcode ip:55b329bd919a sp:7ffebacb27d0 error:0 in a.out[55b329bd9000+1000]',
    [
      trap({
        procname: 'a.out',
        pid: 33,
        ip: 0x55b329bd919a,
        sp: 0x7ffebacb27d0,
        trap: { type: 'InvalidOpcode' },
        file: 'a.out',
        vmastart: 0x55b329bd9000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'general protection, older, without the prefix': [
    'nginx[67494] general protection ip:43bbbc sp:7ffdd4474db0 error:0 in nginx[400000+92000]',
    [
      trap({
        procname: 'nginx',
        pid: 67494,
        ip: 0x43bbbc,
        sp: 0x7ffdd4474db0,
        trap: { type: 'GeneralProtectionFault' },
        file: 'nginx',
        vmastart: 0x400000,
        vmasize: 0x92000,
      }),
    ],
  ],
  'general protection fault: the error is a selector, no page-fault bits': [
    'traps: x[5] general protection fault ip:1 sp:2 error:3b in x[0+1000]',
    [
      trap({
        procname: 'x',
        pid: 5,
        ip: 1,
        sp: 2,
        trap: { type: 'GeneralProtectionFault' },
        file: 'x',
        vmastart: 0,
        vmasize: 0x1000,
      }),
    ],
  ],
  ...Object.fromEntries(
    [
      'trap divide error',
      'trap int3',
      'trap stack segment',
      'trap bounds',
      'trap alignment check',
      'trap SIMD exception',
    ].map((text): [string, [string, object[]]] => [
      text,
      [
        `traps: x[5] ${text} ip:1 sp:2 error:0 in x[0+1000]`,
        [
          trap({
            procname: 'x',
            pid: 5,
            ip: 1,
            sp: 2,
            trap: { type: 'Generic', description: text },
            file: 'x',
            vmastart: 0,
            vmasize: 0x1000,
          }),
        ],
      ],
    ]),
  ),
  'control protection with a shadow stack pointer': [
    'traps: x[5] control protection ip:401136 sp:7ffd1000 ssp:7f0000000ff8 error:1(near ret) in x[401000+1000]',
    [
      trap({
        procname: 'x',
        pid: 5,
        ip: 0x401136,
        sp: 0x7ffd1000,
        trap: { type: 'Generic', description: 'control protection (near ret)' },
        file: 'x',
        vmastart: 0x401000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'a trap of 2.6': [
    'rpmbuild[3842] trap int3 rip:402d9e rsp:7fbfffb540 error:0',
    [
      trap({
        procname: 'rpmbuild',
        pid: 3842,
        ip: 0x402d9e,
        sp: 0x7fbfffb540,
        trap: { type: 'Generic', description: 'trap int3' },
      }),
    ],
  ],
  suppressed: [
    'show_signal_msg: 20 callbacks suppressed',
    [
      {
        type: 'LinuxSuppressedCallback',
        facility: 'Kern',
        level: 'Warning',
        function_name: 'show_signal_msg',
        count: 20,
      },
    ],
  ],
  'fatal signal of 2.6, cut short': [
    'a b/77: potentially unexpected fatal signal 11.',
    [signal('SIGSEGV', { Comm: 'a b', PID: '77' })],
  ],
  'fatal signal of 3.x with its dump': [
    [
      'potentially unexpected fatal signal 6.',
      'CPU: 1 PID: 36075 Comm: a.out Not tainted 4.4.0 #1',
      'Hardware name:  BHYVE, BIOS 1.00 03/14/2014',
      'task: ffff880076e1aa00 ti: ffff880079ed4000 task.ti: ffff880079ed4000',
      'RIP: 0033:[<00007f6f1c1f1c37>]  [<00007f6f1c1f1c37>] 0x7f6f1c1f1c37',
      'RSP: 002b:00007ffd5833d0c0  EFLAGS: 00010246',
      'RAX: 0000000000000000 RBX: 0000000000000000 RCX: 00007fd15e0e0718',
      'RDX: 0000000000000006 RSI: 0000000000008ceb RDI: 0000000000008ceb',
      'RBP: 00007ffd5833d0c0 R08: 00007fd15e0e1d80 R09: 00007fd15e0e1d80',
      'R10: 0000000000000008 R11: 0000000000000202 R12: 0000561bc8d8f040',
      'R13: 00007ffd5833d1a0 R14: 0000000000000000 R15: 0000000000000000',
      'FS:  00007fd15e0e7500(0000) GS:ffff9b08ffd00000(0000) knlGS:0000000000000000',
      'CS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033',
      'CR2: 0000000000000000 CR3: 0000000132d26005 CR4: 00000000000606a0',
    ].join('\n'),
    [
      signal('SIGIOT', {
        CPU: '1',
        PID: '36075',
        Comm: 'a.out',
        RIP: '0033:0x00007f6f1c1f1c37',
        RSP: '002b:00007ffd5833d0c0',
        EFLAGS: '00010246',
        RAX: '0000000000000000',
        RBX: '0000000000000000',
        RCX: '00007fd15e0e0718',
        RDX: '0000000000000006',
        RSI: '0000000000008ceb',
        RDI: '0000000000008ceb',
        RBP: '00007ffd5833d0c0',
        R08: '00007fd15e0e1d80',
        R09: '00007fd15e0e1d80',
        R10: '0000000000000008',
        R11: '0000000000000202',
        R12: '0000561bc8d8f040',
        R13: '00007ffd5833d1a0',
        R14: '0000000000000000',
        R15: '0000000000000000',
        FS: '00007fd15e0e7500',
        GS: 'ffff9b08ffd00000',
      }),
    ],
  ],
  'a 32-bit dump': [
    [
      'potentially unexpected fatal signal 11.',
      'code at 08048415: c7 00 01',
      'CPU: 0 PID: 12 Comm: old Not tainted 3.16.0 #1',
      'EIP: 0073:[<08048415>] EFLAGS: 00010286 CPU: 0',
      'EIP is at 0x8048415',
      'EAX: 00000000 EBX: b7705000 ECX: bf97d5a0 EDX: bf97d5c4',
      'ESI: 00000000 EDI: 00000000 EBP: bf97d588 ESP: bf97d578',
      ' DS: 007b ES: 007b FS: 0000 GS: 0033 SS: 007b',
    ].join('\n'),
    [
      signal('SIGSEGV', {
        CPU: '0',
        PID: '12',
        Comm: 'old',
        EIP: '0073:0x08048415',
        EFLAGS: '00010286',
        EAX: '00000000',
        EBX: 'b7705000',
        ECX: 'bf97d5a0',
        EDX: 'bf97d5c4',
        ESI: '00000000',
        EDI: '00000000',
        EBP: 'bf97d588',
        ESP: 'bf97d578',
        DS: '007b',
        ES: '007b',
        FS: '0000',
        GS: '0033',
      }),
    ],
  ],
  'fatal signal since 6.6, exe and comm different': [
    [
      'python3.11: my worker: potentially unexpected fatal signal 11.',
      'CPU: 3 UID: 33 PID: 500 Comm: my worker Tainted: G           OE      6.8.0 #1',
      'RIP: 0033:0x0',
    ].join('\n'),
    [signal('SIGSEGV', { CPU: '3', UID: '33', PID: '500', Comm: 'my worker', RIP: '0033:0x0' })],
  ],
  'fatal signal since 6.6 without an executable, cut short': [
    'kthing: potentially unexpected fatal signal 7.',
    [signal('SIGBUS', { Comm: 'kthing' })],
  ],
  'arm64 instruction abort': [
    [
      'a.out[123]: unhandled exception: IABT (lower EL), ESR 0x0000000082000006, level 2 translation fault in a.out[aaaab0000000+1000]',
      'CPU: 0 PID: 123 Comm: a.out Not tainted 6.1.0 #1',
      'pstate: 60001000 (nZCv daif -PAN -UAO -TCO -DIT +SSBS BTYPE=--)',
      'pc : 0000aaaab0000754',
      'lr : 0000aaaab0000780',
      'sp : 0000ffffd1c2e0f0',
      'x29: 0000ffffd1c2e0f0 x28: 0000000000000000 x27: 0000000000000000',
      'x2 : 0000000000000000 x1 : 0000000000000000 x0 : 0000000000000000',
    ].join('\n'),
    [
      trap({
        procname: 'a.out',
        pid: 123,
        ip: 0xaaaab0000754,
        sp: 0xffffd1c2e0f0,
        errcode: { ...USER, instruction_fetch: true },
        trap: { type: 'Segfault', location: 0xaaaab0000754 },
        file: 'a.out',
        vmastart: 0xaaaab0000000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'arm64 data abort, whose address newer kernels keep to themselves': [
    [
      'a.out[123]: unhandled exception: DABT (lower EL), ESR 0x000000009200004f, level 3 permission fault in a.out[aaaab0000000+1000]',
      'pc : 0000aaaab0000754',
      'sp : 0000ffffd1c2e0f0',
    ].join('\n'),
    [
      trap({
        procname: 'a.out',
        pid: 123,
        ip: 0xaaaab0000754,
        sp: 0xffffd1c2e0f0,
        errcode: { ...USER, access_type: 'Write', reason: 'ProtectionFault' },
        trap: { type: 'Generic', description: 'DABT (lower EL), level 3 permission fault' },
        file: 'a.out',
        vmastart: 0xaaaab0000000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'arm64 undefined instruction': [
    'x y[9]: unhandled exception: Unknown/Uncategorized, ESR 0x0000000002000000, undefined instruction in x[1000+1000]\npc : 0000000000001008\nsp : 0000ffffd1c2e0f0',
    [
      trap({
        procname: 'x y',
        pid: 9,
        ip: 0x1008,
        sp: 0xffffd1c2e0f0,
        trap: { type: 'InvalidOpcode' },
        file: 'x',
        vmastart: 0x1000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'arm64 before 4.18': [
    'a.out[5]: unhandled level 2 translation fault (11) at 0x00000010, esr 0x92000046, in a.out[400000+1000]\npc : 0000000000400544\nsp : 0000007fe1c2e0f0',
    [
      trap({
        procname: 'a.out',
        pid: 5,
        ip: 0x400544,
        sp: 0x7fe1c2e0f0,
        errcode: { ...USER, access_type: 'Write' },
        trap: { type: 'Segfault', location: 16 },
        file: 'a.out',
        vmastart: 0x400000,
        vmasize: 0x1000,
      }),
    ],
  ],
};

for (const [name, [text, expected]] of Object.entries(cases)) {
  test(name, () => {
    const events = detectEventsFromText(text, { hostname: null });
    expect(events.map(({ event }) => event)).toEqual(expected);
  });
}

test.each([
  'Web Content',
  'PM2 v1: Go',
  'IPMI[sensors]',
  '(udev-worker)',
  'kworker/u8:2',
  'trailing ',
  'x[1]: segfault',
  'a[1] trap int3',
  ' ip:1 sp:2 err',
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
  'audit: type=1701 audit(1700000000.123:45): auid=0 uid=0 ses=1 pid=77 comm="a.out" exe="/tmp/a.out" sig=11 res=1',
  'systemd[1]: nginx.service: Main process exited, code=dumped, status=11/SEGV',
  'systemd-coredump[99]: Process 77 (a.out) of user 0 dumped core.',
  'a.out[77]: segfault at 0 ip',
  'traps: PANIC: double fault, error_code: 0x0',
  'general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1] SMP PTI',
])('no event: %s', (text) => {
  expect(detectEventsFromText(`${text}\nRIP: 0033:0x401005\nRAX: 0000000000000000`, { hostname: null })).toEqual([]);
});

test('a kernel oops has the same rows and is no event, nor does it feed a dump that was cut short before it', () => {
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
