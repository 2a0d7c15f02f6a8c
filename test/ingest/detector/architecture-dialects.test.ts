import { USER_READ } from '#test/schemas/events/sample-event.ts';
import { testDialects, trap } from './dialect-cases.ts';

const WRITE = { ...USER_READ, access_type: 'Write' };
const DENIED = { ...USER_READ, reason: 'ProtectionFault' };
const FETCH = { ...USER_READ, instruction_fetch: true };

/** Messages of each architecture, built from the format strings in the kernel source. */
testDialects({
  'arm64 before 4.15: registers in brackets': [
    [
      'udevd[1673]: unhandled level 2 permission fault (11) at 0x00000018, esr 0x9200004e, in libc-2.26.so[7f9860d000+138000]',
      'pgd = ffffffc06b0e1000',
      'CPU: 3 PID: 1673 Comm: udevd Kdump: loaded Not tainted 4.14.0 #5',
      'PC is at 0x7f9867eb10',
      'LR is at 0x7f98681b20',
      'pc : [<0000007f9867eb10>] lr : [<0000007f98681b20>] pstate: 60000000',
      'sp : 0000007fc50c0b50',
      'x29: 0000007fc50c0b50 x28: 0000007f98758a20',
      'x1 : 0000000000000000 x0 : 0000000000000000',
    ].join('\n'),
    [
      trap({
        procname: 'udevd',
        pid: 1673,
        ip: 0x7f9867eb10,
        sp: 0x7fc50c0b50,
        errcode: { ...WRITE, reason: 'ProtectionFault' },
        trap: { type: 'Segfault', location: 0x18 },
        file: 'libc-2.26.so',
        vmastart: 0x7f9860d000,
        vmasize: 0x138000,
      }),
    ],
  ],
  'arm64 before 4.18: an alignment exception names its pointers': [
    'a b[12]: SP Alignment exception: pc=0000007f939a0700 sp=0000007fc50c0b51',
    [
      trap({
        procname: 'a b',
        pid: 12,
        ip: 0x7f939a0700,
        sp: 0,
        trap: { type: 'Generic', description: 'SP Alignment exception' },
      }),
    ],
  ],
  'arm32 with the registers of an older kernel': [
    [
      'iptables: unhandled page fault (11) at 0x000000c9, code 0x817',
      'pgd = c397c000',
      'Pid: 270, comm:             iptables',
      'CPU: 0',
      'PC is at 0x4000f054',
      'pc : [<4000f054>]    lr : [<4000e8fc>]    psr: 60000010',
      'sp : bed3fb28  ip : 00000000  fp : bed3fbac',
      'r10: 4001d000  r9 : 00000000  r8 : 00000000',
      'r7 : 00000000  r6 : 00000000  r5 : 00000000  r4 : 00000000',
      'r3 : 00000000  r2 : 00000000  r1 : 00000000  r0 : 00000000',
    ].join('\n'),
    [
      trap({
        procname: 'iptables',
        pid: 270,
        ip: 0x4000f054,
        sp: 0xbed3fb28,
        errcode: WRITE,
        trap: { type: 'Segfault', location: 0xc9 },
      }),
    ],
  ],
  'arm32: a jump to a page that is not executable': [
    'x: unhandled page fault (11) at 0xbed3fb28, code 0x8000000f',
    [
      trap({
        procname: 'x',
        pid: 0,
        level: 'Emergency',
        ip: 0,
        sp: 0,
        errcode: { ...FETCH, reason: 'ProtectionFault' },
        trap: { type: 'Segfault', location: 0xbed3fb28 },
      }),
    ],
  ],
  'powerpc: the fetch itself faulted, on a page that may not be executed': [
    'x y[7]: segfault (11) at 7fffc0de nip 7fffc0de lr 10000 code 2 in x[10000000+10000]',
    [
      trap({
        procname: 'x y',
        pid: 7,
        ip: 0x7fffc0de,
        sp: 0,
        errcode: { ...FETCH, reason: 'ProtectionFault' },
        trap: { type: 'Segfault', location: 0x7fffc0de },
        file: 'x',
        vmastart: 0x10000000,
        vmasize: 0x10000,
      }),
    ],
  ],
  'powerpc: another signal keeps its words': [
    'x[7]: floating point exception (8) at 1000 nip 1000 lr 10000 code 3 in x[1000+1000]',
    [
      trap({
        procname: 'x',
        pid: 7,
        ip: 0x1000,
        sp: 0,
        trap: { type: 'Generic', description: 'floating point exception' },
        file: 'x',
        vmastart: 0x1000,
        vmasize: 0x1000,
      }),
    ],
  ],
  'riscv: the cause distinguishes a store from a load': [
    [
      'x[5594]: unhandled signal 11 code 0x2 at 0x0000000000000001 in libc.so.6[3fb3ed8000+185000]',
      'CPU: 0 PID: 5594 Comm: x Not tainted 6.1.0 #1',
      'epc : 0000003fb3f6bb88 ra : 0000003fb3f3cd40 sp : 0000003fffb58b40',
      ' gp : 0000002ac0a1d800 tp : 0000003fb3e9d780 t0 : 0000003fb3f3c7ba',
      'status: 8000000201804020 badaddr: 0000000000000001 cause: 000000000000000f',
    ].join('\n'),
    [
      trap({
        procname: 'x',
        pid: 5594,
        ip: 0x3fb3f6bb88,
        sp: 0x3fffb58b40,
        errcode: { ...WRITE, reason: 'ProtectionFault' },
        trap: { type: 'Segfault', location: 1 },
        file: 'libc.so.6',
        vmastart: 0x3fb3ed8000,
        vmasize: 0x185000,
      }),
    ],
  ],
  's390: the program is named by the row behind it, an operation exception is an invalid opcode': [
    [
      'User process fault: interruption code 0001 ilc:1 in victim[1000000+8000]',
      'CPU: 4 PID: 1745 Comm: victim Not tainted 5.19.0 #36',
      'User PSW : 0705000180000000 000000000100cc38',
    ].join('\n'),
    [
      trap({
        procname: 'victim',
        pid: 1745,
        ip: 0x100cc38,
        sp: 0,
        trap: { type: 'InvalidOpcode' },
        file: 'victim',
        vmastart: 0x1000000,
        vmasize: 0x8000,
      }),
    ],
  ],
  's390: a library is no guess at the name of a program': [
    'User process fault: interruption code 0004 ilc:2 in libc.so.6[3ff87a80000+1c9000]\nFailing address: 000002aa0f73f000 TEID: 000002aa0f73f800',
    [
      trap({
        procname: '',
        pid: 0,
        level: 'Emergency',
        ip: 0,
        sp: 0,
        errcode: DENIED,
        trap: { type: 'Segfault', location: 0x2aa0f73f000 },
        file: 'libc.so.6',
        vmastart: 0x3ff87a80000,
        vmasize: 0x1c9000,
      }),
    ],
  ],
  'loongarch: era instead of epc': [
    [
      'do_page_fault(): sending SIGSEGV to x for invalid write access to 0000000000000010',
      'era = 0000000120000abc in x[120000000+4000]',
      'ra  = 0000000120000a00 in x[120000000+4000]',
    ].join('\n'),
    [
      trap({
        procname: 'x',
        pid: 0,
        level: 'Emergency',
        ip: 0x120000abc,
        sp: 0,
        errcode: WRITE,
        trap: { type: 'Segfault', location: 0x10 },
        file: 'x',
        vmastart: 0x120000000,
        vmasize: 0x4000,
      }),
    ],
  ],
  'mips before 4.9: the next row stands behind the address': [
    'do_page_fault(): sending SIGSEGV to x for invalid read access from 00000038epc = 77e2b094 in libc.so[77e28000+22000]',
    [
      trap({
        procname: 'x',
        pid: 0,
        level: 'Emergency',
        ip: 0x77e2b094,
        sp: 0,
        file: 'libc.so',
        vmastart: 0x77e28000,
        vmasize: 0x22000,
        trap: { type: 'Segfault', location: 0x38 },
      }),
    ],
  ],
  'parisc: the pointers stand far behind': [
    [
      "do_page_fault() command='ld.so.1' type=6 address=0x161236a0 in libc.so[f8b9c000+1b6000]",
      'trap #6: Instruction TLB miss fault',
      'CPU: 0 PID: 99 Comm: ld.so.1 Not tainted 6.9.0 #1',
      'r00-03  0006ff0f 00000000 f8bbf3cf 00000000',
      'r28-31  00000000 00000000 f8a00a40 f8bbf3cf',
      'IASQ: 00000000 00000000 IAOQ: f8bbf3c4 f8bbf3c8',
    ].join('\n'),
    [
      trap({
        procname: 'ld.so.1',
        pid: 99,
        ip: 0xf8bbf3c4,
        sp: 0xf8a00a40,
        errcode: FETCH,
        trap: { type: 'Segfault', location: 0x161236a0 },
        file: 'libc.so',
        vmastart: 0xf8b9c000,
        vmasize: 0x1b6000,
      }),
    ],
  ],
});
