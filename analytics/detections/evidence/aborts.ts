import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, type Episode, findOpen, openEpisode } from '../episode.ts';
import type { Dump, WitnessedAbort } from '../rule-evidence.ts';
import { type Address, parseRegister, toAddress } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { imageOf } from './abort-image.ts';
import { concludeFromWitnesses, rememberWitness } from './abort-witnesses.ts';
import type { RecordedCrash } from './crash-places.ts';
import { type Deliberate, deliberateTrap } from './deliberate-traps.ts';
import {
  type Abort,
  type AbortPace,
  type AbortSettings,
  type FoundAborts,
  judgeAborts,
  PRINTED_AT_ONCE,
} from './judge-aborts.ts';
import { hasManyFaults, isDoubtDue } from './scan-doubts.ts';
import { isSentByAnother } from './self-signals.ts';
import { claimSuppressed } from './suppressed-messages.ts';

const RULE = 'stack-canary-probe';
/**
 * A program's latest aborts as flat numbers: seconds, nanoseconds, space and offset of the value that identifies the
 * image.
 */
const FIELDS = 4;
/** Spaces that mark images. They are positive; the spaces of absolute addresses are not. */
const UNKNOWN_IMAGE = 1;
const TRAPPED_IMAGE: Readonly<Record<Deliberate, number>> = { possible: 2, certain: 3, changed: 6, refused: 7 };
/** A trapped image is the place times this, plus the position of the stack. */
const STACKS = 2 ** 20;
const WITNESSED_IMAGE = 4;
/** Aborts that show no image, such as those of audit records. They may be of one image or of several. */
const UNIDENTIFIED_IMAGE = 5;
const UNIDENTIFIED_ABORT: Address = { space: UNIDENTIFIED_IMAGE, offset: 0 };
/** Maximum number of stored aborts: enough for the slowest judgement, with room for other images and forged times. */
const MAX_ABORTS = 768;
/**
 * Number of aborts between two removals of old ones. An abort is old if it lies outside the window of each of the
 * latest arrivals.
 */
const PRUNE_EVERY = 16;
const LATEST = 9;
const PROMISING = 8;

const DELIBERATE = Object.keys(TRAPPED_IMAGE) as readonly Deliberate[];

const UNIDENTIFIED: AbortPace = 'unidentified';
/** Third detail of an episode whose program repeatedly crashes at many other places too. */
export const MANY_FAULTS = 'many faults';

/**
 * Records an abort of the program and lets the canary rule judge. A failed canary check makes the program signal
 * itself. If the program was in another system call, another process aborted it, such as a supervisor whose worker did
 * not answer. Returns true if the program shows signs of probing.
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
  const image = imageOf(registers) ?? { space: UNKNOWN_IMAGE, offset: 0 };
  return add(context, program, time, image === 'unidentified' ? UNIDENTIFIED_ABORT : image, 'abort', rule);
}

/**
 * Records an abort that a core dump or an audit record reports and the kernel did not log. A core dump contains the
 * instruction pointer, which identifies the image. Without it, the aborts cannot be assigned to one image, and the
 * severity stays low.
 */
function addReported(
  context: TrackerContext,
  program: Program,
  time: Instant,
  registers: Dump['registers'],
  rule: AbortSettings,
): boolean {
  const found = imageOf(registers);
  const image = found === 'unidentified' ? undefined : found;
  const open = findOpen(program.episodes, RULE, time.seconds, rule.quiet);
  if (image === undefined && open !== undefined && open.detail[0] !== UNIDENTIFIED) return true;
  return add(context, program, time, image ?? UNIDENTIFIED_ABORT, 'abort', rule);
}

/**
 * Records a witness that explains an abort, which settles the open episode. Reports of a changed canary are also
 * evidence themselves, because the kernel may not log aborts. In an open episode, a crash counts once, for the source
 * that reports it first. Returns true if the program shows signs of probing.
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
  const found = concludeFromWitnesses(program, open.crashes, time.seconds, rule.slowWindow);
  if (found === undefined || found === open.detail[1]) return true;
  open.detail = [open.detail[0] ?? '', found, ...open.detail.slice(2)];
  open.touched = context.sequence;
  return true;
}

/**
 * Records a trap with which a program ended itself, or a dump of another such crash at the same place of the same
 * image. For many such crashes, the kernel suppresses most trap lines but no dumps. Returns true if the program shows
 * signs of probing.
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

/** Returns the certainty of the latest trap line of the image. Undefined if the image has none. */
function trappedBefore(aborts: readonly number[], image: number): Deliberate | undefined {
  for (let i = aborts.length - FIELDS; i >= 0; i -= FIELDS) {
    if (aborts[i + 3] !== image) continue;
    for (const deliberate of DELIBERATE) if (aborts[i + 2] === TRAPPED_IMAGE[deliberate]) return deliberate;
  }
  return undefined;
}

/** Identifies the image by place and stack. A fork keeps both. After an `execve`, at least one of them differs. */
function trappedImage(ip: Address, sp: Address): number {
  return (ip.offset % 2 ** 32) * STACKS + (Math.floor(sp.offset / 2 ** 20) % STACKS);
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
  const found = judgeAborts(same, t, kind, rule);
  if (found === undefined) return true;
  if (open !== undefined) open.detail = [found.pace, ...open.detail.slice(1)];
  else if (image.space !== UNIDENTIFIED_IMAGE) openProbe(context, program, found, time, rule);
  else if (found.pace !== 'timer') openProbe(context, program, { ...found, pace: UNIDENTIFIED }, time, rule);
  return true;
}

/**
 * Returns the aborts of the image within `window` seconds of `t`, ordered by time. A changed return address is refused
 * at whichever return follows: the place does not matter, only the stack.
 */
function sameImage(flat: readonly number[], image: Address, t: number, window: number): Abort[] {
  const same: Abort[] = [];
  const isChanged = image.space === TRAPPED_IMAGE.changed;
  let sorted = true;
  for (let i = 0; i < flat.length; i += FIELDS) {
    if (flat[i + 2] !== image.space) continue;
    const other = flat[i + 3] as number;
    if (other !== image.offset && !(isChanged && other % STACKS === image.offset % STACKS)) continue;
    const time = (flat[i] as number) + (flat[i + 1] as number) / 1e9;
    if (Math.abs(time - t) > window) continue;
    if (same.length > 0 && (same.at(-1) as Abort).t > time) sorted = false;
    same.push({ index: i / FIELDS, t: time });
  }
  return sorted ? same : same.sort((a, b) => a.t - b.t || a.index - b.index);
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
  const conclusion = concludeFromWitnesses(program, times.length, time.seconds, rule.slowWindow);
  episode.detail = conclusion === undefined ? [found.pace] : [found.pace, conclusion];
  doubt(program, episode, time.seconds, rule);
  episode.crashes = times.length;
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  // Keeps the last abort, which identifies later dumps of the image.
  program.aborts = aborts.slice(-FIELDS);
}

/**
 * Records whether the program has many faults. This matters only for aborts at random times: the other patterns have a
 * single source.
 */
function doubt(program: Program, episode: Episode, t: number, { slowWindow }: AbortSettings): void {
  const [pace = '', conclusion = ''] = episode.detail;
  if (pace !== 'random') return;
  const found = hasManyFaults(program, t, slowWindow) ? MANY_FAULTS : '';
  if (found !== (episode.detail[2] ?? '')) episode.detail = [pace, conclusion, found];
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
