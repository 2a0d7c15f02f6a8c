import { addValue, type Episode, findOpen, openEpisode } from '../episode.ts';
import { toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { spaceAt } from '../state/program-spaces.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isFarAccess, isJump, isStackOverflow } from './placed-faults.ts';
import { claimSuppressed } from './suppressed-messages.ts';

const RULE = 'memory-search';
/**
 * A program's faults at an address other than the previous one, as flat numbers: seconds, space and offset of the
 * instruction, address, process, and number of faults in a row. The oldest is dropped first.
 */
const FIELDS = 6;
const MAX_FAULTS = 64 * FIELDS;
/** Stands for every instruction that jumped: the address is the target. */
const JUMPS = { space: 0, offset: -1 } as const;
const PAGE = 4_096;
/** Minimum share of neighbouring addresses that are exactly one step apart. The others are gaps in the log. */
const MIN_REGULAR = 0.6;
/** Maximum share of faults at an address that was tried before. */
const MAX_REPEATED = 1 / 32;

interface SearchSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minAddresses: number;
}

interface Fault {
  readonly seconds: number;
  readonly address: number;
  readonly pid: number;
  readonly count: number;
}

/**
 * Records a fault at an address that is no null pointer, and lets the rule judge it. Returns true if the program shows
 * signs of probing.
 */
export function judgeSearch(
  context: TrackerContext,
  program: Program,
  { trap, counted, time, at, pid }: RecordedCrash,
  rule: SearchSettings,
): boolean {
  if (!counted || trap === undefined || !isFarAccess(trap) || isStackOverflow(trap)) return false;
  if (trap.trap.type !== 'Segfault' || typeof trap.trap.location !== 'number') return false;
  const address = trap.trap.location;
  const t = time.seconds;
  const isJumping = isJump(trap);
  const by = isJumping ? JUMPS : at;
  const place = isJumping ? 'jumps' : `${at.space}:${at.offset}`;
  const open = findOpen(program.episodes, RULE, t, rule.quiet);
  if (open !== undefined) {
    if (open.detail[0] !== place || address % PAGE !== Number(open.detail[1])) return false;
    open.evidence += 1;
    addValue(open, toHexadecimal({ space: 0, offset: address }), context.limits.maxValues);
    open.touched = context.sequence;
    return true;
  }
  if (!remember(program, [t, by.space, by.offset, address, Number.isNaN(pid) ? 0 : pid])) return false;
  if (isJumping && isReported(program, t, rule.quiet)) return false;
  const faults = faultsLike(program, by, address, t, rule.window);
  if (!isSearch(faults, rule.minAddresses)) return false;
  openSearch(context, program, { place, isJumping, space: at.space, address, time, faults });
  return true;
}

/** Stores a fault. Returns false if it repeats the latest one. */
function remember(program: Program, fault: readonly [number, number, number, number, number]): boolean {
  const flat = ruleMemory(program, RULE);
  const latest = flat.length - FIELDS;
  if (latest >= 0 && flat[latest + 1] === fault[1] && flat[latest + 2] === fault[2] && flat[latest + 3] === fault[3]) {
    flat[latest] = fault[0];
    flat[latest + 5] = (flat[latest + 5] as number) + 1;
    return false;
  }
  if (flat.length >= MAX_FAULTS) flat.splice(0, FIELDS);
  flat.push(...fault, 1);
  return true;
}

/** Returns true if another rule already reports the jumps of the program. */
function isReported({ episodes }: Program, t: number, quiet: number): boolean {
  if (episodes === undefined) return false;
  return (
    findOpen(episodes, 'instruction-pointer-probe', t, quiet) !== undefined ||
    findOpen(episodes, 'unmapped-jump', t, quiet) !== undefined
  );
}

/** Returns the stored faults of the instruction at addresses with the same page offset. */
function faultsLike(
  { memory }: Program,
  by: { readonly space: number; readonly offset: number },
  address: number,
  t: number,
  window: number,
): Fault[] {
  const flat = memory?.get(RULE) ?? [];
  const inPage = address % PAGE;
  const faults: Fault[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    if (flat[i + 1] !== by.space || flat[i + 2] !== by.offset) continue;
    const [seconds, other] = [flat[i] as number, flat[i + 3] as number];
    if (other % PAGE !== inPage || Math.abs(seconds - t) > window) continue;
    faults.push({ seconds, address: other, pid: flat[i + 4] as number, count: flat[i + 5] as number });
  }
  return faults;
}

/**
 * Returns true if the faults are a search of memory: at least `minAddresses` addresses, hardly any of them twice, and
 * most of them exactly one step of whole pages from the next. The order does not matter. Lost lines leave gaps, which
 * are allowed.
 *
 * A broken pointer of a forked program has one address. With address randomisation it has one of at least 256 pages in
 * each execution, and then neighbours have all distances. If the pages were few enough to be neighbours, addresses would
 * come back: 16 draws from 26 pages have no repetition in one of 400 cases. A process that handles its faults,
 * such as a virtual machine that protects pages, has many faults; a process that dies has one.
 */
export function isSearch(faults: readonly Fault[], minAddresses: number): boolean {
  if (faults.length < minAddresses) return false;
  const distinct = new Set<number>();
  let tries = 0;
  for (const { address, count } of faults) {
    distinct.add(address);
    tries += count;
  }
  if (distinct.size < minAddresses || tries - distinct.size > Math.floor(tries * MAX_REPEATED)) return false;
  const addresses = [...distinct].sort((a, b) => a - b);
  const pids = faults.flatMap(({ pid }) => (pid === 0 ? [] : [pid]));
  if (new Set(pids).size * 2 <= pids.length && pids.length > 0) return false;
  const steps = new Map<number, number>();
  for (let i = 1; i < addresses.length; i += 1) {
    const step = (addresses[i] as number) - (addresses[i - 1] as number);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) >= (addresses.length - 1) * MIN_REGULAR;
}

interface FoundSearch {
  readonly place: string;
  readonly isJumping: boolean;
  readonly space: number;
  readonly address: number;
  readonly time: RecordedCrash['time'];
  readonly faults: readonly Fault[];
}

function openSearch(context: TrackerContext, program: Program, found: FoundSearch): void {
  const { place, isJumping, space, address, time, faults } = found;
  const earliest = faults.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const first = { seconds: earliest.seconds, nanos: 0 };
  const file = isJumping ? null : (spaceAt(program, space)?.file ?? null);
  const episode: Episode = openEpisode(
    {
      rule: RULE,
      hostname: program.host.name,
      program: program.name,
      register: isJumping ? 'ip' : 'address',
      place: file === null ? 'absolute' : `file:${file}`,
      first,
      value: toHexadecimal({ space: 0, offset: earliest.address }),
    },
    { procname: program.comm, file },
    faults.length,
  );
  for (const fault of faults)
    addValue(episode, toHexadecimal({ space: 0, offset: fault.address }), context.limits.maxValues);
  episode.detail = [place, String(address % PAGE)];
  episode.crashes = faults.reduce((sum, { count }) => sum + count, 0);
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === RULE && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
}
