import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

/** Error code 4: user code reads a page that is not present. */
export const USER_READ: SegfaultErrorCode = {
  access_mode: 'User',
  access_type: 'Read',
  instruction_fetch: false,
  protection_keys_block_access: false,
  reason: 'NoPageFound',
  use_of_reserved_bit: false,
};

/** A segfault as detectors send it. */
export const TRAP_EVENT = {
  version: 'V1',
  timestamp: '2026-03-01T08:15:30.123456789+01:00',
  hostname: 'edge-1',
  event: {
    type: 'LinuxKernelTrap',
    level: 'Info',
    facility: 'Kern',
    trap: { type: 'Segfault', location: 0 },
    procname: 'edge-gw',
    pid: 31425,
    ip: 94228340642178,
    sp: 140732893734864,
    errcode: {
      reason: 'NoPageFound',
      access_type: 'Write',
      access_mode: 'User',
      use_of_reserved_bit: false,
      instruction_fetch: false,
      protection_keys_block_access: false,
    },
    file: 'edge-gw',
    vmasize: 4096,
    vmastart: 94228340641792,
  },
};

/** Its JSON text with `ip` written as given. */
export function trapTextWithIp(ip: string): string {
  return stringifyExact(TRAP_EVENT).replace(`"ip":${TRAP_EVENT.event.ip}`, `"ip":${ip}`);
}

/** The JSON text of an event with this `event` object. */
export function eventText(event: unknown): string {
  return stringifyExact({ version: 'V1', timestamp: '2026-03-01T08:15:30Z', event });
}
