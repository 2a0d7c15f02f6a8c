import { setTimeout as pause } from 'node:timers/promises';
import { findLimit, readStack, returnTo, shuffled } from '../overflow.ts';
import { paced } from '../pace.ts';
import type { Lab, Scenario } from '../scenario.ts';

const PROTECTED = ['-fstack-protector-all', '-pie', '-fPIE'];
const STATIC = ['-static', '-no-pie', '-fno-stack-protector'];

/** Waits for a random time, as a careful attacker does: most pauses are short, some are long. */
const drawn = (lab: Lab, meanMs: number): Promise<void> =>
  pause(-meanMs * Math.log((1 + lab.random.between(0, 999)) / 1000));

/** Attacks on two programs at the same time, and attacks whose probes do not crash at the probed address. */
export const PAIRS: readonly Scenario[] = [
  {
    name: 'canary-two-binaries',
    note: 'canaries of two servers read byte by byte at the same time, with pauses drawn at random',
    dumps: true,
    any: ['stack-canary-probe'],
    truth: { any_procname: true },
    aliases: ['lab-second'],
    async run(lab) {
      const bytes = lab.random.between(4, 20) * 8;
      const flags = [...PROTECTED, `-DBUFFER_BYTES=${bytes}`];
      const gateways = await Promise.all([lab.gateway({ flags }), lab.gateway({ flags, executable: 'lab-second' })]);
      try {
        const read = async (gateway: (typeof gateways)[number]) =>
          readStack(gateway, await findLimit(gateway, bytes), {
            bytes: 8,
            maxTries: 240,
            random: lab.random,
            pause: () => drawn(lab, 100),
          });
        await Promise.all(gateways.map(read));
      } finally {
        await Promise.all(gateways.map((gateway) => gateway.stop()));
      }
    },
  },
  {
    name: 'gadget-scan-null-trap',
    note: 'places of the text tried in random order, each followed by null words: a return that works fails at address 0',
    dumps: false,
    any: ['instruction-pointer-probe', 'unmapped-jump'],
    async run(lab) {
      const gateway = await lab.gateway({ flags: [...STATIC, `-DBUFFER_BYTES=${lab.random.between(4, 40) * 8}`] });
      try {
        const first = gateway.text.start + 0x2000n;
        const places = shuffled(120, lab.random).map((i) => first + BigInt(i * 1201));
        await paced(places, 3, (place) => gateway.send(returnTo(gateway, place, 0n, 0n, 0n, 0n)));
      } finally {
        await gateway.stop();
      }
    },
  },
];
