import type { SeededRandom } from '#test/support/seeded-random.ts';
import { abortOf, type Crash, drawImage, fault, type Image, LIBRARY, type Logging } from './machine.ts';
import { logUniform, pids, requestTimes, type Story, weighted } from './variant.ts';

const HOST = 'build-7';
const LOGGING: readonly Logging[] = ['stock', 'dumps', 'traced'];
const PAGE = 4_096;

type At = Pick<Crash, 'time' | 'host' | 'comm' | 'pid' | 'image'>;

/** Crashes of a program that one parent forks, or that is executed again each time. */
function crashing(random: SeededRandom, times: readonly number[], make: (of: At, i: number) => Crash): Crash[] {
  const exe = random.pick(['indexer', 'convert', 'batch-job', 'report']);
  const parent = random.next() < 0.5 ? drawImage(random, exe) : undefined;
  const pid = pids(random);
  return times.map((time, i) =>
    make({ time, host: HOST, comm: exe, pid: pid(), image: parent ?? drawImage(random, exe) }, i),
  );
}

/** Times at which requests or a timer make the program crash. */
function crashTimes(random: SeededRandom, min = 10, max = 300): number[] {
  return requestTimes(random, random.between(min, max), logUniform(random, 0.1, 60));
}

/** Failures of a worker that a timer restarts. The start of the worker takes time as well. */
function timerTimes(random: SeededRandom, first: number, pause: number, count: number): number[] {
  let time = first;
  return Array.from({ length: count }, () => {
    time += pause + 0.02 * random.next();
    return time;
  });
}

/**
 * Mutually recursive functions without an end. The probability that the stack ends in one of them is proportional to
 * its frame size.
 */
function recursion(random: SeededRandom): Story {
  const frames = Array.from({ length: random.between(1, 30) }, () => ({
    offset: random.between(0, 0xf_ffff),
    file: random.next() < 0.7 ? undefined : LIBRARY,
    size: 16 * random.between(3, 256),
  }));
  const crashes = crashing(random, crashTimes(random), (of) => {
    const frame = frames[
      weighted(
        random,
        frames.map(({ size }) => size),
      )
    ] as (typeof frames)[number];
    const end = of.image.stack - 8 * 2 ** 20 - (of.image.stack % PAGE);
    // The guard page is hit by the call, by a push, or by the first store into the new frame.
    const inFrame = random.next() < 0.3;
    const location = end - 8 * random.between(1, Math.max(1, Math.floor(frame.size / 8)));
    const sp = inFrame ? location - 8 * random.between(0, Math.floor(frame.size / 8)) : location + 8;
    const over = { location, sp, write: true };
    return fault(of, random, frame.offset, frame.file === undefined ? over : { ...over, file: frame.file });
  });
  return { crashes, logging: random.pick(LOGGING) };
}

/** A copy with a wrong length: an instruction of the copy loop reaches the end of a mapping. */
function wildCopy(random: SeededRandom): Story {
  const start = random.between(0x8_0000, 0x14_0000);
  const sites = Array.from({ length: random.between(2, 10) }, () => start + random.between(0, 500));
  const crashes = crashing(random, crashTimes(random), (of) => {
    const page = 0x7e00_0000_0000 + random.between(0, 2 ** 26) * PAGE;
    const isMiddle = random.next() < 0.1;
    const location = page + (isMiddle ? random.between(0, PAGE - 1) : random.between(0, 63));
    return fault(of, random, random.pick(sites), { file: LIBRARY, location, write: random.next() < 0.7 });
  });
  return { crashes, logging: random.pick(LOGGING) };
}

/**
 * A fuzzer with a fork server: a few faults distributed by Zipf's law, among them failed assertions that the journal
 * shows.
 */
function fuzzer(random: SeededRandom): Story {
  const bugs = Array.from({ length: random.between(1, 12) }, () => ({
    offset: random.between(0, 0xf_ffff),
    kind: random.pick(['null', 'wild', 'assertion'] as const),
  }));
  const weights = bugs.map((_, i) => 1 / (i + 1));
  const image = drawImage(random, 'fuzz-target');
  const pid = pids(random);
  const times = requestTimes(random, random.between(200, 1_200), logUniform(random, 0.05, 5));
  const crashes = times.map((time) => {
    const of = { time, host: HOST, comm: image.exe, pid: pid(), image };
    const { offset, kind } = bugs[weighted(random, weights)] as (typeof bugs)[number];
    if (kind === 'assertion') return abortOf(of, random, 'assertion');
    return fault(of, random, offset, kind === 'null' ? { location: random.between(0, 255) } : {});
  });
  return { crashes, logging: 'dumps' };
}

/** Workers that fail at start and that a supervisor executes again after a pause. */
function restartingWorkers(random: SeededRandom): Story {
  const pause = logUniform(random, 0.5, 30);
  const sites = Array.from({ length: random.between(1, 4) }, () => random.between(0, 0xf_ffff));
  const aborts = random.next() < 0.3;
  const pid = pids(random);
  const crashes = Array.from({ length: random.between(2, 16) }, () =>
    timerTimes(random, random.next() * pause, pause, random.between(20, 60)).map((time) => {
      const of = { time, host: HOST, comm: 'worker', pid: pid(), image: drawImage(random, 'worker') };
      return aborts ? abortOf(of, random) : fault(of, random, random.pick(sites), { location: 16 });
    }),
  ).flat();
  return { crashes, logging: random.pick(LOGGING) };
}

/** A bad release that crashes at the same few places on all hosts, in one or several builds. */
function badRelease(random: SeededRandom): Story {
  const builds = Array.from({ length: random.between(1, 3) }, (_, i) => ({
    build: `${i}`.repeat(40),
    sites: Array.from({ length: random.between(1, 4) }, () => random.between(0, 0xf_ffff)),
  }));
  const hosts = Array.from({ length: random.between(5, 30) }, () => random.pick(builds));
  const images: Image[] = hosts.map(() => drawImage(random, 'checkout'));
  const pid = pids(random);
  const times = requestTimes(random, random.between(50, 600), logUniform(random, 0.5, 100));
  const crashes = times.map((time) => {
    const host = random.between(0, hosts.length - 1);
    const { build, sites } = hosts[host] as (typeof builds)[number];
    const of = { time, host: `web-${host}`, comm: 'checkout', pid: pid(), image: images[host] as Image };
    return fault(of, random, random.pick(sites), { build });
  });
  return { crashes, logging: random.pick(LOGGING) };
}

/** A parent forks workers that fail an assertion: after a pause, or immediately if the journal shows the assertion. */
function preforkedAssertion(random: SeededRandom): Story {
  const image = drawImage(random, 'job-runner');
  const pid = pids(random);
  const withPause = random.next() < 0.6;
  const pause = logUniform(random, 0.6, 60);
  const mean = logUniform(random, 0.02, 0.5);
  const workers = withPause ? random.between(1, 4) : 1;
  const shown = withPause ? random.pick([0, 0.8]) : random.pick([0.8, 1]);
  const crashes = Array.from({ length: workers }, (_, worker) => {
    const count = random.between(100, 600);
    const times = withPause
      ? timerTimes(random, worker * random.next() * pause, pause, count)
      : requestTimes(random, count, mean);
    return times.map((time) =>
      abortOf(
        { time, host: HOST, comm: image.exe, pid: pid(), image },
        random,
        random.next() < shown ? 'assertion' : undefined,
      ),
    );
  }).flat();
  return { crashes, logging: random.pick(['dumps', 'traced']) };
}

export const BENIGN: Readonly<Record<string, (random: SeededRandom) => Story>> = {
  'unbounded recursion': recursion,
  'copy past the end of a mapping': wildCopy,
  'fuzzer with dumps': fuzzer,
  'restarting workers': restartingWorkers,
  'bad release on all hosts': badRelease,
  'assertion of forked workers': preforkedAssertion,
};
