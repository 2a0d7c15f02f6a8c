import { at, dump, hex, trap } from '#analytics/detections/rule-case.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** Returns the event of an index. The same index returns the same event, and no two indexes return equal events. */
export type Story = (index: number) => AcceptedEvent;

const HOSTS = 200;
const PROGRAMS = 20;

const hostOf = (i: number) => `edge-${i % HOSTS}.example.net`;
const programOf = (i: number) => `service-${((i / HOSTS) | 0) % PROGRAMS}`;

/** Crash loops at three addresses of each program. `huge` places them above 2^53. */
export function crashLoop(huge: boolean): Story {
  return (i) => {
    const start = 0x5561_0000_0000 + (i % 97) * 4096;
    const high = huge ? 2n ** 63n + BigInt(start) : start;
    const ip = typeof high === 'bigint' ? high + BigInt(0x179 + (i % 3) * 512) : high + 0x179 + (i % 3) * 512;
    const procname = programOf(i);
    return at(
      i / 100,
      trap(ip, { procname, file: procname, pid: 1000 + i, vmastart: high, vmasize: 0x1000 }),
      hostOf(i),
    );
  };
}

/** Crash loops with a register dump for each trap line. */
export function trapOrDump(i: number): AcceptedEvent {
  const crash = i >> 1;
  const procname = programOf(crash);
  const ip = 0x40_1179 + (crash % 3) * 512;
  const pid = 1000 + crash;
  if (i % 2 === 0) return at(crash / 100, trap(ip, { procname, file: procname, pid }), hostOf(crash));
  // Each program has its own image.
  const image = (((crash / HOSTS) | 0) % PROGRAMS) * 2 ** 24;
  const registers = {
    Comm: procname,
    PID: String(pid),
    RIP: `0033:0x${ip.toString(16)}`,
    RSP: `002b:${hex(0x7ffd_0000_0c98 + image)}`,
    RDI: hex(0x7f00_0000_0000 + (crash % 5) * 64),
    RSI: hex(0),
    FS: hex(0x7fa5_0000_0740 + image),
  };
  return at(crash / 100 + 0.001, dump(registers), hostOf(crash));
}

/** One program that never crashes twice at the same address. */
export function scattered(i: number): AcceptedEvent {
  return at(i / 100, trap(0x40_1000 + ((i * 2_654_435_761) % 2 ** 32), { pid: 1000 + i, vmasize: 2 ** 33 }));
}

/** One program with crashes at 2,000 addresses. */
export function probe(i: number): AcceptedEvent {
  return at(i / 100, trap(0x40_1000 + 2 * ((i * 7) % 2000), { pid: 1000 + i }));
}

/** Each event is of a new program. */
export function flood(i: number): AcceptedEvent {
  return at(i / 100, trap(0x40_1000, { procname: `p${i}`, file: `p${i}`, pid: 1000 + i }), hostOf(i));
}
