import { abort, at, dump, hex, mismatch, suppressed, trap } from '#analytics/detections/rule-case.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * Generates a stream that exercises all state of a tracker: probes of all kinds, crash loops, aborts, suppressed
 * callbacks, tampering, renamed workers, several mappings, huge addresses, forged times and disorder, over a few hosts
 * and programs.
 */
export function randomEvents(seed: number, count: number): AcceptedEvent[] {
  const random = seededRandom(seed).next;
  const below = (limit: number) => Math.floor(random() * limit);
  const events: AcceptedEvent[] = [];
  let clock = 0;
  for (let i = 0; i < count; i += 1) {
    clock += random() < 0.05 ? below(7200) : random() * 2;
    const forged = random();
    const t = forged < 0.01 ? 5e9 : forged < 0.02 ? -1.7e9 : clock - (forged < 0.1 ? below(30) : 0);
    const hostname = below(10) === 0 ? null : `host-${below(4)}`;
    const program = below(5);
    const procname = random() < 0.1 ? `worker ${below(3)}` : `program-${program}`;
    const pid = 1000 + i;
    const ip = 0x40_1000 + 4096 * program + (random() < 0.5 ? below(300) : (i * 3) % 2000);
    const kind = below(100);
    if (kind < 40) {
      const vmastart = 0x40_1000 - 4096 * below(2);
      events.push(at(t, trap(ip, { procname, pid, file: `program-${program}`, vmastart, vmasize: 0x9000 }), hostname));
    } else if (kind < 45) {
      events.push(at(t, trap(2n ** 63n + BigInt(below(40)), { procname, pid, file: null, vmastart: null }), hostname));
    } else if (kind < 65) {
      const registers = {
        Comm: procname,
        PID: String(pid),
        RIP: `0033:0x${ip.toString(16)}`,
        RDI: hex(0x7ff0_0000 + below(40)),
      };
      events.push(at(t, dump(registers), hostname));
    } else if (kind < 85) {
      events.push(
        at(clock, abort(pid, hex(0x7f00_0000_1000 + (below(20) === 0 ? i : 0)), `ssp-${below(2)}`), hostname),
      );
    } else if (kind < 92) {
      events.push(at(t, suppressed(below(400)), hostname));
    } else {
      events.push(
        at(t, mismatch(below(2) === 0 ? 'kernel.print-fatal-signals' : 'debug.exception-trace', '1', '0'), hostname),
      );
    }
  }
  return events;
}
