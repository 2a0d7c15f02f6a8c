import { compareInstants, covers, openEpisode } from '../episode.ts';
import type { Dump } from '../rule-evidence.ts';
import { type Address, parseRegister } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { claimSuppressed } from './suppressed-messages.ts';

/** A program's latest aborts, flat: seconds, nanoseconds, space and offset of the value that identifies the image. */
const FIELDS = 4;
/** No space of an address is positive: the dump has no such value. */
const UNKNOWN_IMAGE = 1;
/** So many times what the rule needs are kept at most, so that aborts with forged times do not push the others out. */
const SPARE = 4;
/** After so many the old ones are looked for: those out of the window of each of the latest arrivals. */
const PRUNE_EVERY = 16;
const LATEST = 9;
const PROMISING = 8;

/** Settings of the rule that its evidence is judged by. */
interface AbortSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minAborts: number;
  readonly sameImage: number;
}

/** Takes in an abort of the program and lets the canary rule judge. Returns whether the program shows signs of probing. */
export function addAbort(
  context: TrackerContext,
  program: Program,
  { registers, time }: Dump,
  rule: AbortSettings,
): boolean {
  const t = time.seconds + time.nanos / 1e9;
  const open = program.episodes?.find((e) => e.rule === 'stack-canary-probe' && covers(e, t, rule.quiet));
  if (open !== undefined) {
    open.evidence += 1;
    open.touched = context.sequence;
    return true;
  }
  const image = imageOf(registers);
  program.aborts ??= [];
  const { aborts } = program;
  if (aborts.length >= rule.minAborts * SPARE * FIELDS) aborts.splice(0, FIELDS);
  if (aborts.length % (PRUNE_EVERY * FIELDS) === 0) pruneAborts(aborts, rule.window);
  aborts.push(time.seconds, time.nanos, image?.space ?? UNKNOWN_IMAGE, image?.offset ?? 0);
  const count = aborts.length / FIELDS;
  if (count < rule.minAborts) return count >= PROMISING;
  const found = findAborts(readAborts(aborts), t, rule);
  if (found === undefined) return true;

  const times = found.map((i) => ({ seconds: aborts[i * FIELDS] as number, nanos: aborts[i * FIELDS + 1] as number }));
  const first = times.reduce((a, b) => (compareInstants(b, a) < 0 ? b : a));
  const episode = openEpisode(
    {
      rule: 'stack-canary-probe',
      hostname: program.host.name,
      program: program.name,
      register: 'canary',
      place: 'abort',
      first,
      value: 'SIGIOT',
    },
    { procname: program.comm, file: null },
    found.length,
  );
  episode.crashes = found.length;
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  program.aborts = undefined;
  return true;
}

function pruneAborts(aborts: number[], window: number): void {
  const latest = aborts.slice(-LATEST * FIELDS).filter((_, field) => field % FIELDS === 0);
  let to = 0;
  for (let from = 0; from < aborts.length; from += FIELDS) {
    const t = aborts[from] as number;
    if (!latest.some((other) => Math.abs(other - t) <= window + 1)) continue;
    for (let field = 0; field < FIELDS; field += 1) aborts[to + field] = aborts[from + field] as number;
    to += FIELDS;
  }
  aborts.length = to;
}

/** FS holds the thread pointer on x86-64; it is 0 in 32-bit programs and missing elsewhere. */
function imageOf(dump: Readonly<Record<string, string>>): Address | undefined {
  const fs = parseRegister(dump.FS);
  if (fs !== undefined && (fs.space !== 0 || fs.offset !== 0)) return fs;
  return parseRegister(dump.RIP ?? dump.pc ?? dump.RSP ?? dump.sp);
}

function readAborts(flat: readonly number[]): Abort[] {
  const aborts: Abort[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    const space = flat[i + 2] as number;
    const offset = flat[i + 3] as number;
    aborts.push({
      t: (flat[i] as number) + (flat[i + 1] as number) / 1e9,
      image: space === UNKNOWN_IMAGE ? undefined : space === 0 ? offset : `${space}:${offset}`,
    });
  }
  return aborts;
}

/**
 * One abort: its time in seconds and what identifies the image in memory, which a fork keeps and an execution draws again: the
 * thread pointer FS, else the instruction pointer, else the stack pointer. Undefined when the dump holds none of them.
 */
interface Abort {
  readonly t: number;
  readonly image: number | string | undefined;
}

/**
 * The indexes of at least `minAborts` aborts within `window` seconds, among them the one at `t`, of which the share `sameImage` at
 * least comes from one image as far as the dumps show, otherwise undefined.
 *
 * Decided for pre-forking daemons whose workers abort by themselves: below two aborts a second (40 in 20 s) nothing is reported,
 * which leaves out every supervisor and master process with a pause of a second for one worker. Above, the kernel log holds nothing
 * that distinguishes them from an attack (same image, same place, pids that count up), so they are reported, and the runbook says how to decide.
 */
function findAborts(
  aborts: readonly Abort[],
  t: number,
  thresholds: Pick<AbortSettings, 'window' | 'minAborts' | 'sameImage'>,
): readonly number[] | undefined {
  const { window, minAborts, sameImage } = thresholds;
  const near = [...aborts.keys()].filter((i) => Math.abs((aborts[i] as Abort).t - t) <= window);
  if (near.length < minAborts) return undefined;
  near.sort((a, b) => (aborts[a] as Abort).t - (aborts[b] as Abort).t);
  let best: number[] = [];
  for (let from = 0, to = 0; to < near.length; to += 1) {
    while ((aborts[near[to] as number] as Abort).t - (aborts[near[from] as number] as Abort).t > window) from += 1;
    if (to - from + 1 > best.length) best = near.slice(from, to + 1);
  }
  if (best.length < minAborts) return undefined;
  const images = new Map<number | string, number>();
  for (const i of best) {
    const { image } = aborts[i] as Abort;
    if (image !== undefined) images.set(image, (images.get(image) ?? 0) + 1);
  }
  const known = [...images.values()].reduce((sum, count) => sum + count, 0);
  return Math.max(0, ...images.values()) >= known * sameImage ? best : undefined;
}
