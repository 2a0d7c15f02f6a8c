import { setTimeout as pause } from 'node:timers/promises';
import { findLimit, readStack } from '../overflow.ts';
import type { Lab, Scenario } from '../scenario.ts';

const CANARY_PROBE = ['stack-canary-probe'];
const CANARY_BYTES = 8;
const PROTECTED = ['-fstack-protector-all', '-pie', '-fPIE'];
const TRAPPING = [...PROTECTED, '-DFAILED_CHECK_TRAPS'];

interface ReadingOptions {
  readonly flags: readonly string[];
  readonly perSecond: number;
  readonly maxTries?: number;
  readonly names?: readonly string[];
  readonly decoy?: () => Promise<void>;
}

/** Reads the canary of a protected server byte by byte. */
async function readCanary(lab: Lab, options: ReadingOptions): Promise<void> {
  const bytes = lab.random.between(4, 40) * 8;
  const gateway = await lab.gateway({
    flags: [...options.flags, `-DBUFFER_BYTES=${bytes}`],
    ...(options.names === undefined ? {} : { names: options.names }),
  });
  try {
    await readStack(gateway, await findLimit(gateway, bytes), {
      bytes: CANARY_BYTES,
      maxTries: options.maxTries ?? CANARY_BYTES * 256,
      random: lab.random,
      pause: async (tries) => {
        if (tries % 4 === 3) await options.decoy?.();
        await pause(1000 / options.perSecond);
      },
    });
  } finally {
    await gateway.stop();
  }
}

const canary: Scenario = {
  name: 'canary',
  note: 'canary read byte by byte, about 100 tries a second',
  dumps: true,
  any: CANARY_PROBE,
  run: (lab) => readCanary(lab, { flags: PROTECTED, perSecond: 100 }),
};

const renamed: Scenario = {
  name: 'canary-renamed',
  note: 'canary read byte by byte, another process name for each child',
  dumps: true,
  any: CANARY_PROBE,
  truth: { any_procname: true },
  aliases: ['wk-%-lab'],
  run: (lab) => readCanary(lab, { flags: PROTECTED, perSecond: 100, names: ['wk-%-lab'] }),
};

const decoys: Scenario = {
  name: 'canary-decoys',
  note: 'canary read byte by byte, 5 tries a second; in four of them another program aborts',
  dumps: true,
  any: CANARY_PROBE,
  async run(lab) {
    const decoy = await lab.crasher('lab-decoy');
    // The program aborts at the 13th record.
    const abort = () => lab.crash(decoy, ['damaged-record', String(13 * 17)]);
    await readCanary(lab, { flags: PROTECTED, perSecond: 5, maxTries: 250, decoy: abort });
  },
  aliases: ['lab-decoy'],
};

const hours: Scenario = {
  name: 'canary-hours',
  note: 'canary read byte by byte, one try in about 70 s (times stretched)',
  dumps: true,
  any: CANARY_PROBE,
  stretch: 3500,
  run: (lab) => readCanary(lab, { flags: PROTECTED, perSecond: 50, maxTries: 300 }),
};

const trapping: Scenario = {
  name: 'canary-trap',
  note: 'canary of a library that ends a failed check with hlt, read byte by byte',
  dumps: true,
  any: CANARY_PROBE,
  run: (lab) => readCanary(lab, { flags: TRAPPING, perSecond: 100 }),
};

const trappingStock: Scenario = {
  name: 'canary-trap-stock',
  note: 'the same with stock settings: about two of a hundred tries are logged',
  dumps: false,
  any: CANARY_PROBE,
  truth: { burst_ok: true },
  run: (lab) => readCanary(lab, { flags: TRAPPING, perSecond: 100 }),
};

const returnAddress: Scenario = {
  name: 'return-address-reading',
  note: 'no canary: the saved frame pointer and the return address read byte by byte',
  dumps: true,
  any: ['instruction-pointer-probe', 'unmapped-jump'],
  async run(lab) {
    const flags = ['-pie', '-fPIE', '-fno-stack-protector', `-DBUFFER_BYTES=${lab.random.between(4, 20) * 8}`];
    const gateway = await lab.gateway({ flags });
    const wait = () => pause(1000 / 40);
    try {
      const options = { bytes: 2 * CANARY_BYTES, maxTries: 400, random: lab.random, pause: wait };
      await readStack(gateway, gateway.frame, options);
    } finally {
      await gateway.stop();
    }
  },
};

export const STACK_READINGS: readonly Scenario[] = [
  canary,
  renamed,
  decoys,
  hours,
  trapping,
  trappingStock,
  returnAddress,
];
