import { USER_READ } from '#test/schemas/events/sample-event.ts';
import { CPU_LIKELY, testDialects, trap } from './dialect-cases.ts';

testDialects({
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
        errcode: { ...USER_READ, access_type: 'Write' },
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
        errcode: { ...USER_READ, instruction_fetch: true },
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
        errcode: { ...USER_READ, instruction_fetch: true },
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
        errcode: { ...USER_READ, instruction_fetch: true },
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
        errcode: { ...USER_READ, reason: 'ProtectionFault' },
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
});
