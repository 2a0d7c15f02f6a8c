/** Crashes of a program whose instruction pointer moves by two bytes: enough for a detection. */
export function probe(hostname: string) {
  const begin = Date.now() - 4_000;
  return Array.from({ length: 8 }, (_, index) => ({
    version: 'V1',
    timestamp: new Date(begin + index * 500).toISOString(),
    hostname,
    event: {
      type: 'LinuxKernelTrap',
      facility: 'Kern',
      level: 'Info',
      errcode: {
        reason: 'NoPageFound',
        access_type: 'Read',
        access_mode: 'User',
        use_of_reserved_bit: false,
        instruction_fetch: false,
        protection_keys_block_access: false,
      },
      ip: 0x55_5555_5550_10 + index * 2,
      sp: 0x7ffc_0000_0000,
      pid: 100 + index,
      procname: 'nginx',
      trap: { type: 'Segfault', location: 16 },
      file: 'nginx',
      vmastart: 0x55_5555_5550_00,
      vmasize: 4_096,
      process: {
        executable: '/usr/sbin/nginx',
        uid: 33,
        parent: { pid: 1, name: 'systemd', executable: '/usr/lib/systemd/systemd' },
        unit: 'nginx.service',
      },
    },
  }));
}
