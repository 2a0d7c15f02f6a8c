import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, covers, openEpisode } from '../episode.ts';
import { addAddress, addRegion, joinRegion } from '../region.ts';
import type { Dump } from '../rule-evidence.ts';
import { type Address, putRegister } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { baseOf, spaceAt } from '../state/program-spaces.ts';
import * as sample from '../state/register-samples.ts';
import { PRINTED_DUMP, type RecordedCrash } from './crash-places.ts';
import { isReportedByTraps } from './instruction-pointer.ts';
import { isSignallingCall } from './self-signals.ts';
import { isNumber } from './small-numbers.ts';
import { claimSuppressed } from './suppressed-messages.ts';
import { findSteps, PID_LIMIT, type StepThresholds, type ValueSet } from './value-steps.ts';

const SAMPLED = ['RDI', 'RSI'] as const;
/** First detail of an episode whose values are numbers of the program, not addresses. */
export const NUMBERS = 'numbers';
/** Maximum distance of a value from the found ones to belong to them. */
const REACH = 16;

/** Thresholds that this evidence uses. */
interface RegisterSettings extends StepThresholds {
  readonly window: number;
  readonly quiet: number;
}

/**
 * Records RDI and RSI of a dump, unless they are ids, and lets the register rule judge. Returns true if there are signs
 * of probing.
 */
export function addRegisters(context: TrackerContext, program: Program, dump: Dump, rule: RegisterSettings): boolean {
  // For these system calls, RDI and RSI hold ids.
  if (isSignallingCall(dump.registers) === true) return false;
  const first = addRegister(context, program, 0, dump.registers.RDI, dump, rule);
  const second = addRegister(context, program, 1, dump.registers.RSI, dump, rule);
  return first || second;
}

/** Reused for each register. */
const value: Address = { space: 0, offset: 0 };

/** `number`: index of the register among the sampled ones. */
function addRegister(
  context: TrackerContext,
  program: Program,
  number: number,
  text: string | undefined,
  dump: Dump,
  rule: RegisterSettings,
): boolean {
  if (!putRegister(text, value) || isZero(value) || isId(value, dump)) return false;
  return addSample(context, program, SAMPLED[number] as string, number, value, dump, rule);
}

/**
 * Returns true for 0, the most frequent value of a register. It is never stored, and the rule assumes that it occurred.
 */
function isZero(value: Address): boolean {
  return value.space === 0 && value.offset === 0;
}

function isId(value: Address, dump: Dump): boolean {
  if (value.space !== 0 || value.offset >= PID_LIMIT) return false;
  return dump.isAbort || value.offset === dump.pid;
}

function addSample(
  context: TrackerContext,
  program: Program,
  register: string,
  number: number,
  value: Address,
  dump: Dump,
  rule: RegisterSettings,
): boolean {
  const t = dump.time.seconds;
  const space = sample.registerSpace(number, value);
  if (grow(context, program, register, space, value.offset, t, rule)) return true;
  const samples = sample.addSample(program.registers ?? [], space, value.offset, dump, context.sequence, rule.window);
  program.registers = samples;
  if (!sample.hasNeighbour(samples, space, value.offset)) return false;
  const values: ValueSet = {
    flat: samples,
    stride: sample.STRIDE,
    assumesZero: value.space === 0,
    inWindow: (index) => Math.abs((samples[index * sample.STRIDE + sample.SECONDS] as number) - t) <= rule.window,
    pid: (index) => samples[index * sample.STRIDE + sample.PID] as number,
  };
  const found = findSteps(values, space, sample.lowerBound(samples, space, 0), rule);
  if (found === undefined) return true;
  const times = found.map((i) => ({
    seconds: samples[i * sample.STRIDE + sample.SECONDS] as number,
    nanos: samples[i * sample.STRIDE + sample.NANOS] as number,
  }));
  openRegisterProbe(
    context,
    program,
    { register, space, base: { space: value.space, offset: 0 }, file: null },
    dump.time,
    values,
    found,
    times,
  );
  return true;
}

/**
 * Judges the instruction pointers of dumps, using the places that the rule for instruction pointers stores. If that
 * rule has an episode with trap lines, this rule stays silent: the other reports the same probe with more evidence.
 */
export function judgePointers(
  context: TrackerContext,
  program: Program,
  { at, time, fresh, printed, explained }: RecordedCrash,
  rule: RegisterSettings,
): void {
  if (printed !== PRINTED_DUMP || explained || isReportedByTraps(program)) return;
  const t = time.seconds;
  if (grow(context, program, 'RIP', at.space, at.offset, t, rule) || !fresh) return;
  const { points } = program;
  const index = place.lowerBound(points, at.space, at.offset);
  if (
    !place.isAt(points, index - 1, at.space, at.offset - 1) &&
    !place.isAt(points, index + 1, at.space, at.offset + 1)
  )
    return;
  const values: ValueSet = {
    flat: points,
    stride: place.STRIDE,
    assumesZero: false,
    inWindow: (i) => place.isInWindow(points, i, t, rule.window),
    pid: () => Number.NaN,
  };
  const found = findSteps(values, at.space, place.lowerBound(points, at.space, 0), rule);
  if (found === undefined) return;
  const mapping = spaceAt(program, at.space);
  const base = baseOf(program, at.space);
  const times = found.map((i) => place.firstInWindow(points, i, t, rule.window));
  openRegisterProbe(
    context,
    program,
    { register: 'RIP', space: at.space, base, file: mapping?.file ?? null },
    time,
    values,
    found,
    times,
  );
}

/** Returns true if the value is evidence of an open episode. */
function grow(
  context: TrackerContext,
  program: Program,
  register: string,
  space: number,
  offset: number,
  t: number,
  rule: RegisterSettings,
): boolean {
  if (program.episodes === undefined) return false;
  for (const episode of program.episodes) {
    if (episode.rule !== 'register-value-probe' || episode.register !== register) continue;
    if (!covers(episode, t, rule.quiet)) continue;
    const region = joinRegion(episode, space, offset, REACH);
    if (region === undefined) continue;
    episode.evidence += 1;
    episode.touched = context.sequence;
    addAddress(episode, region, offset, context.limits.maxValues);
    return true;
  }
  return false;
}

interface Where {
  readonly register: string;
  readonly space: number;
  readonly base: Address;
  readonly file: string | null;
}

function openRegisterProbe(
  context: TrackerContext,
  program: Program,
  where: Where,
  opened: Instant,
  values: ValueSet,
  found: readonly number[],
  times: readonly Instant[],
): void {
  const offsetOf = (i: number) => values.flat[(found[i] as number) * values.stride + 1] as number;
  let first = 0;
  for (let i = 1; i < found.length; i += 1)
    if (compareInstants(times[i] as Instant, times[first] as Instant) < 0) first = i;
  const since = times[first] as Instant;
  const episode = openEpisode(
    {
      rule: 'register-value-probe',
      hostname: program.host.name,
      program: program.name,
      register: where.register,
      place: where.file === null ? 'absolute' : `file:${where.file}`,
      first: since,
      value: `0x${offsetOf(first).toString(16)}`,
    },
    { procname: program.comm, file: where.file },
    found.length,
  );
  episode.crashes = found.length;
  episode.touched = context.sequence;
  if (where.register !== 'RIP' && found.every((_, i) => isNumber(where.base.space, offsetOf(i))))
    episode.detail = [NUMBERS];
  for (let i = 0; i < found.length; i += 1) {
    const offset = offsetOf(i);
    const region =
      joinRegion(episode, where.space, offset, REACH) ?? addRegion(episode, where.space, offset, offset, where.base);
    addAddress(episode, region, offset, context.limits.maxValues);
  }
  const ended = program.episodes?.find(
    (e) => e.rule === episode.rule && e.register === where.register && e.last.seconds < since.seconds,
  );
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, opened);
}
