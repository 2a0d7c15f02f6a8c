import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, type Episode, findOpen, openEpisode } from '../episode.ts';
import type { Dump, WitnessedAbort } from '../rule-evidence.ts';
import { type Address, parseRegister, toAddress } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { rememberWitness, settled } from './abort-witnesses.ts';
import type { RecordedCrash } from './crash-places.ts';
import { type Deliberate, deliberateTrap } from './deliberate-traps.ts';
import { arriveAtRandom } from './random-arrivals.ts';
import { followsTimer } from './restart-timer.ts';
import { hasManyFaults, isDoubtDue } from './scan-doubts.ts';
import { isSentByAnother } from './self-signals.ts';
import { claimSuppressed } from './suppressed-messages.ts';

const RULE = 'stack-canary-probe';
/** A program's latest aborts, flat: seconds, nanoseconds, space and offset of the value that identifies the image. */
const FIELDS = 4;
/** Spaces of images; no space of an address is positive. */
const UNKNOWN_IMAGE = 1;
const TRAPPED_IMAGE: Readonly<Record<Deliberate, number>> = { possible: 2, certain: 3 };
const WITNESSED_IMAGE = 4;
/** Of aborts that a core dump or audit record reports without registers: they may be of one image or of many. */
const UNIDENTIFIED_IMAGE = 5;
/** So many are kept at most: what the slowest judgement needs, with room for other images and forged times. */
const MAX_ABORTS = 768;
/** After so many the old ones are looked for: those out of the window of each of the latest arrivals. */
const PRUNE_EVERY = 16;
const LATEST = 9;
const PROMISING = 8;
/** What is costly is judged once in so many aborts of an image. */
const JUDGE_EVERY = 8;
/** The kernel prints ten trap lines of a burst, and suppresses the others. */
const PRINTED_AT_ONCE = 10;

/** How an episode was found: the first detail of its episode. */
export const ABORT_PACES = ['fast', 'slow', 'random', 'timer', 'traps', 'unidentified'] as const;
export type AbortPace = (typeof ABORT_PACES)[number];
const UNIDENTIFIED: AbortPace = 'unidentified';
/** Third detail of an episode whose program comes back to many other places where it crashes. */
export const MANY_FAULTS = 'many faults';

/** Settings of the rule that its evidence is judged by. */
interface AbortSettings {
  readonly window: number;
  readonly slowWindow: number;
  readonly quiet: number;
  readonly minAborts: number;
  readonly minSlowAborts: number;
  readonly minTimedAborts: number;
  readonly minTraps: number;
}

/**
 * Takes in an abort of the program and lets the canary rule judge. A failed check makes the program signal itself: a process that was doing something else was aborted
 * by another one, such as a supervisor whose worker did not answer. Returns whether the program shows signs of probing.
 */
export function addAbort(
  context: TrackerContext,
  program: Program,
  { registers, time, isKnown, isWitnessed }: Dump,
  rule: AbortSettings,
): boolean {
  if (isWitnessed) return addReported(context, program, time, registers, rule);
  if (isSentByAnother(program.host, registers)) return false;
  const open = isKnown ? findOpen(program.episodes, RULE, time.seconds, rule.quiet) : undefined;
  if (open !== undefined) {
    open.touched = context.sequence;
    return true;
  }
  return add(context, program, time, imageOf(registers) ?? { space: UNKNOWN_IMAGE, offset: 0 }, 'abort', rule);
}

/**
 * An abort of which there is a core dump or an audit record, and no line of the kernel. A core dump names the instruction pointer, which identifies the
 * image. Without it, no two aborts are known to be of one image, and the severity stays low.
 */
function addReported(
  context: TrackerContext,
  program: Program,
  time: Instant,
  registers: Dump['registers'],
  rule: AbortSettings,
): boolean {
  const image = imageOf(registers);
  const open = findOpen(program.episodes, RULE, time.seconds, rule.quiet);
  if (image === undefined && open !== undefined && open.detail[0] !== UNIDENTIFIED) return true;
  return add(context, program, time, image ?? { space: UNIDENTIFIED_IMAGE, offset: 0 }, 'abort', rule);
}

/**
 * Takes in a witness that explains an abort: it settles the open episode. Reports of a changed canary are also evidence of their own,
 * where the kernel prints no aborts. Of an open episode a crash is evidence once, by whichever source reports it first. Returns whether the program shows signs of probing.
 */
export function addWitness(
  context: TrackerContext,
  program: Program,
  { witness, time, isKnown }: WitnessedAbort,
  rule: AbortSettings,
): boolean {
  rememberWitness(program, witness, time, rule.slowWindow);
  const open = findOpen(program.episodes, RULE, time.seconds, rule.quiet);
  if (open === undefined)
    return (
      witness === 'stack-smashing' && add(context, program, time, { space: WITNESSED_IMAGE, offset: 0 }, 'abort', rule)
    );
  if (witness === 'stack-smashing' && !isKnown) {
    open.evidence += 1;
    open.touched = context.sequence;
  }
  const found = settled(program, open.crashes, time.seconds, rule.slowWindow);
  if (found === undefined || found === open.detail[1]) return true;
  open.detail = [open.detail[0] ?? '', found, ...open.detail.slice(2)];
  open.touched = context.sequence;
  return true;
}

/**
 * Takes in a trap with which a program ended itself, or the dump of another one at the same place of the same image: of many such crashes the kernel
 * suppresses most trap lines, and no dump. Returns whether the program shows signs of probing.
 */
export function addDeliberateTrap(
  context: TrackerContext,
  program: Program,
  { trap, registers, counted, time }: RecordedCrash,
  rule: AbortSettings,
): boolean {
  if (!counted) return false;
  if (trap !== undefined) {
    const deliberate = deliberateTrap(trap);
    if (deliberate === undefined) return false;
    const image = trappedImage(toAddress(trap.ip), toAddress(trap.sp));
    return add(context, program, time, { space: TRAPPED_IMAGE[deliberate], offset: image }, deliberate, rule);
  }
  if (registers === undefined || program.aborts === undefined) return false;
  const ip = parseRegister(registers.RIP ?? registers.pc);
  const sp = parseRegister(registers.RSP ?? registers.sp);
  if (ip === undefined || sp === undefined) return false;
  const image = trappedImage(ip, sp);
  const deliberate = trappedBefore(program.aborts, image);
  if (deliberate === undefined) return false;
  return add(context, program, time, { space: TRAPPED_IMAGE[deliberate], offset: image }, deliberate, rule);
}

/** What the latest trap line of the image said; undefined without one. */
function trappedBefore(aborts: readonly number[], image: number): Deliberate | undefined {
  for (let i = aborts.length - FIELDS; i >= 0; i -= FIELDS) {
    if (aborts[i + 3] !== image) continue;
    if (aborts[i + 2] === TRAPPED_IMAGE.certain) return 'certain';
    if (aborts[i + 2] === TRAPPED_IMAGE.possible) return 'possible';
  }
  return undefined;
}

/** The place and the stack: fork keeps both, and an execution draws at least one of them again. */
function trappedImage(ip: Address, sp: Address): number {
  return (ip.offset % 2 ** 32) * 2 ** 20 + (Math.floor(sp.offset / 2 ** 20) % 2 ** 20);
}

function add(
  context: TrackerContext,
  program: Program,
  time: Instant,
  image: Address,
  kind: 'abort' | Deliberate,
  rule: AbortSettings,
): boolean {
  const t = time.seconds + time.nanos / 1e9;
  const open = findOpen(program.episodes, RULE, t, rule.quiet);
  if (open !== undefined) {
    open.evidence += 1;
    open.touched = context.sequence;
    if (isDoubtDue(open.evidence)) doubt(program, open, time.seconds, rule);
    if (open.detail[0] !== UNIDENTIFIED || image.space === UNIDENTIFIED_IMAGE) return true;
  }
  program.aborts ??= [];
  const { aborts } = program;
  if (aborts.length >= MAX_ABORTS * FIELDS) aborts.splice(0, FIELDS);
  if (aborts.length % (PRUNE_EVERY * FIELDS) === 0) pruneAborts(aborts, rule.slowWindow);
  aborts.push(time.seconds, time.nanos, image.space, image.offset);
  const count = aborts.length / FIELDS;
  if (count < Math.min(PRINTED_AT_ONCE, rule.minAborts)) return count >= PROMISING;
  const same = sameImage(aborts, image, t, rule.slowWindow);
  const found = judge(same, t, kind, rule);
  if (found === undefined) return true;
  if (open !== undefined) open.detail = [found.pace, ...open.detail.slice(1)];
  else if (image.space !== UNIDENTIFIED_IMAGE) openProbe(context, program, found, time, rule);
  else if (found.pace !== 'timer') openProbe(context, program, { ...found, pace: UNIDENTIFIED }, time, rule);
  return true;
}

/** One abort of the image that is judged: its index in the list, and its time in seconds. */
interface Abort {
  readonly index: number;
  readonly t: number;
}

interface FoundAborts {
  readonly aborts: readonly Abort[];
  readonly pace: AbortPace;
}

/**
 * The aborts of one image that are a probe, otherwise undefined.
 *
 * A canary has seven unknown bytes. Each costs 128 tries on average and 256 at most, so an attack causes about 900 aborts of one image. A
 * program that aborts by itself is executed again by its supervisor, and each execution is another image. The exception is a
 * parent that forks workers which abort by themselves: after a pause, its restarts follow a timer, which requests do not.
 *  - fast: `minAborts` within `window`, more than parents with a pause cause;
 *  - slow: `minSlowAborts` within `slowWindow`, an eighth of an attack;
 *  - random: as many of either, at times that many clients cause which meet a fault of the program. An attacker can draw the pauses;
 *  - timer: as many restarts after a fixed pause as an attack has tries at least. An attacker can imitate a timer;
 *  - unidentified: as many as fast or slow, of which no image is known, and no timer;
 *  - traps: as many deliberate traps as the kernel prints at once, within a second, or `minTraps` within `slowWindow` where they may be faults.
 */
function judge(
  same: readonly Abort[],
  t: number,
  kind: 'abort' | Deliberate,
  rule: AbortSettings,
): FoundAborts | undefined {
  if (kind === 'certain') {
    const burst = densest(same, t, 1);
    if (burst.length >= PRINTED_AT_ONCE) return { aborts: burst, pace: 'traps' };
  }
  const fast = densest(same, t, rule.window);
  const minSlow = kind === 'possible' ? rule.minTraps : rule.minSlowAborts;
  if (fast.length < rule.minAborts && same.length < minSlow) return undefined;
  const isSlow = fast.length < rule.minAborts;
  if (same.length % JUDGE_EVERY !== 0 && same.length !== rule.minAborts && same.length !== minSlow) return undefined;
  const judged = isSlow ? same : fast;
  const pace = kind === 'abort' ? (isSlow ? 'slow' : 'fast') : 'traps';
  // With what came before them: workers that are out of step look like requests one after the other for a while, as their phases drift.
  const end = same.indexOf(judged.at(-1) as Abort) + 1;
  const history = same.slice(Math.max(0, end - MAX_JUDGED), end);
  const times = history.map((abort) => abort.t);
  if (!followsTimer(times))
    return { aborts: judged, pace: kind === 'abort' && arriveAtRandom(times) ? 'random' : pace };
  return same.length >= rule.minTimedAborts ? { aborts: same, pace: 'timer' } : undefined;
}

/** Enough to see a timer; its cost grows with the square. */
const MAX_JUDGED = 160;

/** Aborts of the image within `window` seconds of `t`, by time. */
function sameImage(flat: readonly number[], image: Address, t: number, window: number): Abort[] {
  const same: Abort[] = [];
  let sorted = true;
  for (let i = 0; i < flat.length; i += FIELDS) {
    if (flat[i + 2] !== image.space || flat[i + 3] !== image.offset) continue;
    const time = (flat[i] as number) + (flat[i + 1] as number) / 1e9;
    if (Math.abs(time - t) > window) continue;
    if (same.length > 0 && (same.at(-1) as Abort).t > time) sorted = false;
    same.push({ index: i / FIELDS, t: time });
  }
  return sorted ? same : same.sort((a, b) => a.t - b.t || a.index - b.index);
}

/** The most aborts within `window` seconds, among those that lie as close to `t`. */
function densest(aborts: readonly Abort[], t: number, window: number): readonly Abort[] {
  let best = 0;
  let bestTo = 0;
  for (let from = 0, to = 0; to < aborts.length; to += 1) {
    const time = (aborts[to] as Abort).t;
    if (time < t - window) {
      from = to + 1;
      continue;
    }
    if (time > t + window) break;
    while (time - (aborts[from] as Abort).t > window) from += 1;
    if (to - from + 1 > best) {
      best = to - from + 1;
      bestTo = to + 1;
    }
  }
  return aborts.slice(bestTo - best, bestTo);
}

function openProbe(
  context: TrackerContext,
  program: Program,
  found: FoundAborts,
  time: Instant,
  rule: AbortSettings,
): void {
  const aborts = program.aborts as number[];
  const times = found.aborts.map(({ index: i }) => ({
    seconds: aborts[i * FIELDS] as number,
    nanos: aborts[i * FIELDS + 1] as number,
  }));
  const first = times.reduce((a, b) => (compareInstants(b, a) < 0 ? b : a));
  const episode: Episode = openEpisode(
    {
      rule: RULE,
      hostname: program.host.name,
      program: program.name,
      register: 'canary',
      place: 'abort',
      first,
      value: 'SIGIOT',
    },
    { procname: program.comm, file: null },
    times.length,
  );
  const says = settled(program, times.length, time.seconds, rule.slowWindow);
  episode.detail = says === undefined ? [found.pace] : [found.pace, says];
  doubt(program, episode, time.seconds, rule);
  episode.crashes = times.length;
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  // The last one stays: dumps of the image are recognised by it.
  program.aborts = aborts.slice(-FIELDS);
}

/** Notes whether the program has many faults. That says something of aborts at random times only: others come from one source. */
function doubt(program: Program, episode: Episode, t: number, { slowWindow }: AbortSettings): void {
  const [pace = '', says = ''] = episode.detail;
  if (pace !== 'random') return;
  const found = hasManyFaults(program, t, slowWindow) ? MANY_FAULTS : '';
  if (found !== (episode.detail[2] ?? '')) episode.detail = [pace, says, found];
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

/**
 * What a fork keeps of the image, and an execution draws again: the thread pointer FS on x86-64 (0 in 32-bit programs, missing elsewhere),
 * else the instruction pointer, else the stack pointer. Undefined when the dump holds none of them.
 */
function imageOf(dump: Readonly<Record<string, string>>): Address | undefined {
  const fs = parseRegister(dump.FS);
  if (fs !== undefined && (fs.space !== 0 || fs.offset !== 0)) return fs;
  return parseRegister(dump.RIP ?? dump.pc ?? dump.RSP ?? dump.sp);
}
