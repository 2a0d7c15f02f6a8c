import { sectionOf } from '../compile.ts';
import { returnTo, shuffled } from '../overflow.ts';
import { paced } from '../pace.ts';
import type { Lab, Scenario } from '../scenario.ts';

const POINTER_PROBE = ['instruction-pointer-probe'];
const JUMP_PROBE = ['instruction-pointer-probe', 'unmapped-jump'];
/** Flags for a large text segment at a fixed address. */
const STATIC = ['-static', '-no-pie', '-fno-stack-protector'];
const PAGE = 4096n;

interface ScanOptions {
  readonly step: number;
  readonly count: number;
  readonly perSecond: number;
  readonly inOrder: boolean;
}

/** Returns to addresses of the text segment at a fixed distance. */
async function scanText(lab: Lab, { step, count, perSecond, inOrder }: ScanOptions): Promise<void> {
  const gateway = await lab.gateway({ flags: [...STATIC, `-DBUFFER_BYTES=${lab.random.between(4, 40) * 8}`] });
  try {
    const room = Number(gateway.text.end - gateway.text.start) - 0x1000 - step * count;
    const first = gateway.text.start + 0x1000n + BigInt(lab.random.between(0, room));
    const order = inOrder ? Array.from({ length: count }, (_, i) => i) : shuffled(count, lab.random);
    await paced(order, perSecond, (i) => gateway.send(returnTo(gateway, first + BigInt(i * step))));
  } finally {
    await gateway.stop();
  }
}

const gadgetScan: Scenario = {
  name: 'gadget-scan',
  note: 'return address moved through the text by 1 to 8 bytes, in order, 25 a second',
  dumps: true,
  any: POINTER_PROBE,
  run: (lab) => scanText(lab, { step: lab.random.between(1, 8), count: 100, perSecond: 25, inOrder: true }),
};

const wideScan: Scenario = {
  name: 'wide-scan-stock',
  note: 'return address moved by 65 to 400 bytes in random order, 4 a second, stock settings',
  dumps: false,
  any: POINTER_PROBE,
  run: (lab) => scanText(lab, { step: lab.random.between(65, 400), count: 90, perSecond: 4, inOrder: false }),
};

const fastScan: Scenario = {
  name: 'fast-scan-stock',
  note: 'return address moved by 2 to 16 bytes in random order, 60 a second, stock settings: hardly a probe is logged',
  dumps: false,
  any: POINTER_PROBE,
  truth: { burst_ok: true },
  run: (lab) => scanText(lab, { step: lab.random.between(2, 16), count: 600, perSecond: 60, inOrder: false }),
};

const hoursScan: Scenario = {
  name: 'scan-hours-stock',
  note: 'return address moved by 17 to 64 bytes in random order, one in about 5 minutes (times stretched), stock settings',
  dumps: false,
  any: POINTER_PROBE,
  stretch: 570,
  run: (lab) => scanText(lab, { step: lab.random.between(17, 64), count: 60, perSecond: 1.9, inOrder: false }),
};

const OTHER = 'lab-other';

const amongCrashes: Scenario = {
  name: 'scan-among-crashes',
  note: 'return address moved by 1 to 16 bytes, 5 a second, while another program crashes 15 times a second at one place',
  dumps: true,
  any: POINTER_PROBE,
  aliases: [OTHER],
  async run(lab) {
    const other = await lab.crasher(OTHER);
    const crashes = Array.from({ length: 180 }, (_, i) => String(i));
    await Promise.all([
      paced(crashes, 15, (input) => lab.crash(other, ['null-write', input])),
      scanText(lab, { step: lab.random.between(1, 16), count: 60, perSecond: 5, inOrder: false }),
    ]);
  },
};

/** Returns to each entry of the procedure linkage table, and from there to `next`. */
async function scanLinkageTable(lab: Lab, next: bigint): Promise<void> {
  const flags = ['-no-pie', '-fno-stack-protector', '-Wl,-z,lazy', `-DBUFFER_BYTES=${lab.random.between(4, 20) * 8}`];
  const gateway = await lab.gateway({ flags });
  try {
    const { start, end } = await sectionOf(gateway.executable, '.plt');
    const stubs = shuffled(Number(end - start) / 16, lab.random).map((i) => start + BigInt(i * 16));
    await paced(stubs, 5, (stub) => gateway.send(returnTo(gateway, stub, next)));
  } finally {
    await gateway.stop();
  }
}

const linkageScan: Scenario = {
  name: 'plt-scan',
  note: 'return address moved through the linkage table by 16 bytes, then filler: each function fails at its return',
  dumps: true,
  any: JUMP_PROBE,
  run: (lab) => scanLinkageTable(lab, 0x4141_4141_4141_4141n),
};

const linkageScanToOnePlace: Scenario = {
  name: 'plt-scan-one-target',
  note: 'the same, but each function returns to one address that is not mapped',
  dumps: true,
  any: JUMP_PROBE,
  run: (lab) => scanLinkageTable(lab, BigInt(lab.random.between(1, 2 ** 30)) * PAGE),
};

const layoutGuess: Scenario = {
  name: 'layout-guess',
  note: 'a position-independent server: the base of a library guessed, 60 pages in turn',
  dumps: false,
  any: JUMP_PROBE,
  async run(lab) {
    const gateway = await lab.gateway({ flags: ['-pie', '-fPIE', '-fno-stack-protector', '-DBUFFER_BYTES=128'] });
    try {
      const offset = BigInt(lab.random.between(0x2_0000, 0xf_0000));
      const guesses = Array.from(
        { length: 60 },
        () => 0x7f00_0000_0000n + BigInt(lab.random.between(0, 2 ** 28)) * PAGE,
      );
      await paced(guesses, 5, (base) => gateway.send(returnTo(gateway, base + offset)));
    } finally {
      await gateway.stop();
    }
  },
};

export const ADDRESS_SCANS: readonly Scenario[] = [
  gadgetScan,
  wideScan,
  fastScan,
  hoursScan,
  amongCrashes,
  linkageScan,
  linkageScanToOnePlace,
  layoutGuess,
];
