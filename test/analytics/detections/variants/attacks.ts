import type { SeededRandom } from '#test/support/seeded-random.ts';
import {
  abortOf,
  type Crash,
  drawImage,
  drawImage32,
  fault,
  type Image,
  jumpTo,
  LIBRARY,
  type Logging,
  MUSL,
} from './machine.ts';
import { logUniform, pids, requestTimes, type Story, shuffled } from './variant.ts';

/** A kind of attack, and the rules of which at least one must detect it. */
export interface AttackKind {
  readonly rules: readonly string[];
  draw(random: SeededRandom): Story;
}

const HOST = 'edge-1';
const LOGGING: readonly Logging[] = ['stock', 'dumps', 'traced'];
const NAMES = ['edge-gw', 'nginx', 'postgres', 'mqtt-broker', 'PM2 v1: Go', 'httpd'] as const;
const TEXT_SIZES = [0x1_0000, 0x4_0000, 0x10_0000, 0x40_0000] as const;

/** Crashes of the children of one parent. `make` returns the effect of the `i`-th request. */
function forked(
  random: SeededRandom,
  times: readonly number[],
  make: (of: Pick<Crash, 'time' | 'host' | 'comm' | 'pid' | 'image'>, i: number) => Crash,
  image = drawImage(random, random.pick(NAMES), random.pick(TEXT_SIZES)),
): Crash[] {
  const pid = pids(random);
  return times.map((time, i) => make({ time, host: HOST, comm: image.exe, pid: pid(), image }, i));
}

/** Interleaves crashes at one place with those of the attack. */
function withDecoys(random: SeededRandom, crashes: readonly Crash[], share: number): Crash[] {
  const offset = random.between(0, 0xffff);
  return crashes.flatMap((crash) => {
    if (random.next() >= share) return [crash];
    const { time, host, comm, pid, image } = crash;
    return [crash, fault({ time: time + 0.001, host, comm, pid: pid + 100_000, image }, random, offset)];
  });
}

/** The effect of a return to `offset` of the text: the process crashes within a few instructions, or elsewhere. */
function returnTo(
  random: SeededRandom,
  of: Pick<Crash, 'time' | 'host' | 'comm' | 'pid' | 'image'>,
  offset: number,
  garbage: number,
): Crash {
  const drawn = random.next();
  const place = Math.min(of.image.size - 1, offset + random.between(0, 6));
  if (drawn < 0.6) return fault(of, random, place);
  if (drawn < 0.7) return fault(of, random, place, { kind: 'opcode' });
  if (drawn < 0.8) return fault(of, random, place, { kind: 'protection' });
  if (drawn < 0.9) return fault(of, random, random.pick([0x2_1f00, 0x8_8a10, 0x16_0040]), { file: LIBRARY });
  return jumpTo(of, random, garbage);
}

function scan(random: SeededRandom, stride: number, size: number, most: number): Story {
  const count = Math.min(random.between(300, 1_500), Math.floor(size / stride), most);
  const first = random.between(0, size - count * stride);
  const offsets = Array.from({ length: count }, (_, i) => first + i * stride);
  const order = random.next() < 0.5 ? offsets : shuffled(random, offsets);
  const garbage = 0x4141_4141_4141;
  const image = drawImage(random, random.pick(NAMES), size);
  const times = requestTimes(random, count, logUniform(random, 0.02, 10));
  const crashes = forked(random, times, (of, i) => returnTo(random, of, order[i] as number, garbage), image);
  return { crashes: withDecoys(random, crashes, random.pick([0, 0, 0.3, 0.7])), logging: random.pick(LOGGING) };
}

function spreadScan(random: SeededRandom): Story {
  const size = random.pick([0x10_0000, 0x40_0000] as const);
  return scan(random, random.between(65, 2_000), size, 900);
}

function pltScan(random: SeededRandom): Story {
  return scan(random, 16, random.pick(TEXT_SIZES), random.between(60, 400));
}

/** The attacker guesses the return address byte by byte. Wrong upper bytes point to unmapped memory. */
function returnAddress(random: SeededRandom): Story {
  const image = drawImage(random, random.pick(NAMES), random.pick(TEXT_SIZES));
  const right = image.text + random.between(0, image.size - 1);
  const guesses: number[] = [];
  for (let byte = 0; byte < 6; byte += 1) {
    const unit = 256 ** byte;
    const own = Math.floor(right / unit) % 256;
    for (let tried = 0; tried < 256 && tried !== own; tried += 1) guesses.push(right + (tried - own) * unit);
  }
  const times = requestTimes(random, guesses.length, logUniform(random, 0.02, 10));
  const crashes = forked(
    random,
    times,
    (of, i) => {
      const target = guesses[i] as number;
      const offset = target - image.text;
      return offset >= 0 && offset < image.size ? returnTo(random, of, offset, 0x4141) : jumpTo(of, random, target);
    },
    image,
  );
  return { crashes, logging: random.pick(LOGGING) };
}

/** Names of child processes. */
type Naming = (i: number) => string;

function namingOf(random: SeededRandom, exe: string): Naming {
  const kind = random.between(0, 3);
  if (kind === 0) return (i) => `w${i}`;
  if (kind === 1) return (i) => `${exe.slice(0, 10)}-${i % 3}`;
  return () => exe;
}

function guess(random: SeededRandom, logging: Logging, fail: (of: Parameters<typeof abortOf>[0]) => Crash): Story {
  const image = drawImage(random, random.pick(NAMES));
  const nameOf = namingOf(random, image.exe);
  const decoys = random.pick([0, 0, 0.25]);
  const times = requestTimes(random, random.between(600, 1_200), logUniform(random, 0.5, 165));
  const pid = pids(random);
  const crashes = times.flatMap((time, i): Crash[] => {
    const of = { time, host: HOST, comm: nameOf(i), pid: pid(), image };
    const own = fail(of);
    if (random.next() >= decoys) return [own];
    // Another execution of the same program, which the attacker makes abort.
    return [own, abortOf({ ...of, time: time + 0.1, pid: pid(), image: drawImage(random, image.exe) }, random)];
  });
  return { crashes, logging };
}

function canary(random: SeededRandom): Story {
  return guess(random, random.pick(['dumps', 'traced']), (of) => abortOf(of, random));
}

function canaryOfMusl(random: SeededRandom): Story {
  const offset = random.between(0x1_0000, 0x4_0000);
  return guess(random, random.pick(LOGGING), (of) =>
    fault(of, random, offset, { file: MUSL, kind: 'protection', location: 0 }),
  );
}

/**
 * A 32-bit program is executed again after each crash. The attacker repeats one address until the random layout matches
 * it.
 */
function layout32(random: SeededRandom): Story {
  const exe = random.pick(NAMES);
  const target = 0xf7c0_0000 + random.between(0, 255) * 4_096 + random.between(0, 4_095);
  const pid = pids(random);
  const tries = Math.min(1_000, Math.max(20, Math.ceil(-256 * Math.log(1 - random.next()))));
  const times = requestTimes(random, tries, logUniform(random, 0.05, 120));
  const crashes = times.map((time) => {
    const image: Image = drawImage32(random, exe);
    const of = { time, host: HOST, comm: exe, pid: pid(), image };
    return random.next() < 0.8
      ? jumpTo(of, random, target)
      : fault(of, random, random.between(0, 0x15_4fff), { file: LIBRARY });
  });
  return { crashes, logging: random.pick(LOGGING) };
}

/** A scan behind a load balancer, with two or three probes per host. */
function fleet(random: SeededRandom): Story {
  const exe = random.pick(NAMES);
  const size = random.pick([0x10_0000, 0x40_0000] as const);
  const images = Array.from({ length: 20 }, () => drawImage(random, exe, size));
  const probes = images.flatMap((_, host) => Array.from({ length: random.between(2, 3) }, () => host));
  const times = requestTimes(random, probes.length, logUniform(random, 0.1, 300));
  const step = random.between(1, 16);
  const isScattered = random.next() < 0.7;
  const first = random.between(0, size / 2);
  const pid = pids(random);
  const crashes = shuffled(random, probes).map((host, i) => {
    const of = {
      time: times[i] as number,
      host: `web-${host}`,
      comm: exe,
      pid: pid(),
      image: images[host] as Image,
    };
    return fault(of, random, isScattered ? random.between(0, size - 1) : first + i * step);
  });
  return { crashes, logging: random.pick(LOGGING) };
}

export const ATTACKS: Readonly<Record<string, AttackKind>> = {
  'scan spread over the text': { rules: ['instruction-pointer-probe'], draw: spreadScan },
  'scan of the procedure linkage table': { rules: ['instruction-pointer-probe'], draw: pltScan },
  'return address byte by byte': { rules: ['instruction-pointer-probe', 'unmapped-jump'], draw: returnAddress },
  'canary byte by byte': { rules: ['stack-canary-probe'], draw: canary },
  'canary of musl byte by byte': { rules: ['stack-canary-probe'], draw: canaryOfMusl },
  'layout of a 32-bit program': { rules: ['unmapped-jump', 'instruction-pointer-probe'], draw: layout32 },
  'scan spread over 20 hosts': { rules: ['fleet-scan'], draw: fleet },
};
