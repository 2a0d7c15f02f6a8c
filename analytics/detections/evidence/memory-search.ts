import { addValue, type Episode, findOpen, openEpisode } from '../episode.ts';
import { toDouble, toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { spaceAt } from '../state/program-spaces.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { NULL_AREA } from './explained-faults.ts';
import { isJump, isStackOverflow } from './placed-faults.ts';
import { APART, type Fault, findSearch, type SearchPattern } from './search-pattern.ts';
import { claimSuppressed } from './suppressed-messages.ts';

const RULE = 'memory-search';
/**
 * The latest fault of each of a few instructions and page offsets, as flat numbers after the position that is replaced
 * next: seconds, space and offset of the instruction, address, process, number of faults in a row at this address, and
 * start of the mapping of the instruction.
 * Nearly every crash repeats one of them, so this list is short and written in place.
 */
const LATEST = RULE;
/** Earlier faults of the same instructions at other addresses, with the same fields. The oldest is dropped first. */
const EARLIER = 'memory-search-earlier';
const FIELDS = 7;
const MAX_LATEST = 4 * FIELDS;
const MAX_EARLIER = 63 * FIELDS;
/** Stands for every instruction that jumped: the address is the target. */
const JUMPS = { space: 0, offset: -1 } as const;
const PAGE = 4_096;
interface SearchSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minAddresses: number;
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
  if (!counted || trap === undefined || trap.trap.type !== 'Segfault') return false;
  const address = trap.trap.location;
  if (typeof address !== 'number' || address < NULL_AREA || isStackOverflow(trap)) return false;
  const t = time.seconds;
  const isJumping = isJump(trap);
  const { space, offset } = isJumping ? JUMPS : at;
  const start = isJumping || space <= 0 ? 0 : toDouble(trap.ip) - offset;
  const open = program.episodes === undefined ? undefined : findOpen(program.episodes, RULE, t, rule.quiet);
  if (open === undefined && !isNewAddress(program, t, space, offset, address, pid, start)) return false;
  const place = isJumping ? 'jumps' : `${space}:${offset}`;
  if (open !== undefined) {
    if (open.detail[0] !== place || address % PAGE !== Number(open.detail[1])) return false;
    open.evidence += 1;
    addValue(open, toHexadecimal({ space: 0, offset: address }), context.limits.maxValues);
    open.touched = context.sequence;
    return true;
  }
  if (isJumping && isReported(program, t, rule.quiet)) return false;
  const faults = faultsLike(program, { space, offset, address, t }, rule.window);
  const pattern = findSearch(faults, rule.minAddresses);
  if (pattern === undefined) return false;
  const found = pattern === APART ? faults.filter((fault) => fault.start === start) : faults;
  openSearch(context, program, { place, pattern, isJumping, space: at.space, address, time, faults: found });
  return true;
}

/**
 * Stores a fault. Returns true if its instruction used another address before, at the same offset in the page. Runs for
 * nearly every crash, so it takes numbers and makes no object.
 */
function isNewAddress(
  program: Program,
  seconds: number,
  space: number,
  offset: number,
  address: number,
  pid: number,
  start: number,
): boolean {
  const flat = ruleMemory(program, LATEST);
  if (flat.length === 0) flat.push(0);
  for (let i = 1; i < flat.length; i += FIELDS) {
    if (flat[i + 2] !== offset || flat[i + 1] !== space) continue;
    const before = flat[i + 3] as number;
    if (before === address) {
      flat[i] = seconds;
      flat[i + 5] = (flat[i + 5] as number) + 1;
      return false;
    }
    if ((before - address) % PAGE !== 0) continue;
    const earlier = ruleMemory(program, EARLIER);
    if (earlier.length >= MAX_EARLIER) earlier.splice(0, FIELDS);
    for (let field = 0; field < FIELDS; field += 1) earlier.push(flat[i + field] as number);
    write(flat, i, seconds, space, offset, address, pid, start);
    return true;
  }
  const next = flat[0] as number;
  write(flat, 1 + next, seconds, space, offset, address, pid, start);
  flat[0] = (next + FIELDS) % MAX_LATEST;
  return false;
}

function write(
  flat: number[],
  at: number,
  seconds: number,
  space: number,
  offset: number,
  address: number,
  pid: number,
  start: number,
): void {
  flat[at] = seconds;
  flat[at + 1] = space;
  flat[at + 2] = offset;
  flat[at + 3] = address;
  flat[at + 4] = Number.isNaN(pid) ? 0 : pid;
  flat[at + 5] = 1;
  flat[at + 6] = start;
}

/** Returns true if another rule already reports the jumps of the program. */
function isReported({ episodes }: Program, t: number, quiet: number): boolean {
  if (episodes === undefined) return false;
  return (
    findOpen(episodes, 'instruction-pointer-probe', t, quiet) !== undefined ||
    findOpen(episodes, 'unmapped-jump', t, quiet) !== undefined
  );
}

interface Searched {
  readonly space: number;
  readonly offset: number;
  readonly address: number;
  readonly t: number;
}

/** Returns the faults of the instruction within `window` seconds of `t`, at addresses with the same offset in the page. */
function faultsLike({ memory }: Program, { space, offset, address, t }: Searched, window: number): Fault[] {
  const faults: Fault[] = [];
  const add = (flat: readonly number[], from: number): void => {
    for (let i = from; i < flat.length; i += FIELDS) {
      const [seconds, other] = [flat[i] as number, flat[i + 3] as number];
      if (flat[i + 1] !== space || flat[i + 2] !== offset || (other - address) % PAGE !== 0) continue;
      if (Math.abs(seconds - t) > window) continue;
      const [pid, count, start] = [flat[i + 4] as number, flat[i + 5] as number, flat[i + 6] as number];
      faults.push({ seconds, address: other, pid, count, start });
    }
  };
  add(memory?.get(EARLIER) ?? [], 0);
  add(memory?.get(LATEST) ?? [], 1);
  return faults;
}

interface FoundSearch {
  readonly place: string;
  readonly pattern: SearchPattern;
  readonly isJumping: boolean;
  readonly space: number;
  readonly address: number;
  readonly time: RecordedCrash['time'];
  readonly faults: readonly Fault[];
}

function openSearch(context: TrackerContext, program: Program, found: FoundSearch): void {
  const { place, pattern, isJumping, space, address, time, faults } = found;
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
  episode.detail = pattern === APART ? [place, String(address % PAGE), APART] : [place, String(address % PAGE)];
  episode.crashes = faults.reduce((sum, { count }) => sum + count, 0);
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === RULE && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
}
