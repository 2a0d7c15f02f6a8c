import { addValue, findOpen, openEpisode } from '../episode.ts';
import { toAddress, toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isFixedTarget, noteFixedTarget } from './fixed-targets.ts';
import { areFreedLinks } from './freed-links.ts';
import { missesProgram, noteMissed } from './missed-program.ts';
import { countPlaces, faultsOf, isJump, type PlacedFault, placeInPage, wholePlace } from './placed-faults.ts';
import { claimSuppressed } from './suppressed-messages.ts';
import { unmappedPlaces } from './unmapped-places.ts';

const RULE = 'unmapped-jump';

/**
 * Why jumps are a probe: one address in every layout, many addresses, or unmapped memory around the program. It is the
 * first detail of an episode.
 */
export type JumpPattern = typeof CONSTANT | 'various' | typeof MISSED_PROGRAM;
const CONSTANT = 'constant';
export const MISSED_PROGRAM = 'missed program';
/** Second detail of an episode whose jumps have since returned to their targets: a few broken pointers explain them. */
export const RETURNING = 'returning';

interface JumpSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minJumps: number;
  readonly minTargets: number;
  readonly minSingles: number;
  readonly minImages: number;
}

/**
 * Returns true if an attacker is guessing the layouts of the program at `t`: a detection of one address that is tried
 * in many layouts is open.
 */
export function isLayoutGuessed({ episodes }: Program, t: number, margin: number): boolean {
  return findOpen(episodes, RULE, t, margin)?.detail[0] === CONSTANT;
}

/**
 * Lets the rule judge a jump to unmapped memory. Jumps of one image to many targets belong to the rule for instruction
 * pointers, which records them. While that rule reports the program, this one stays silent. Returns true if the program
 * shows signs of probing.
 */
export function judgeJumps(
  context: TrackerContext,
  program: Program,
  { trap, counted, time }: RecordedCrash,
  rule: JumpSettings,
): boolean {
  if (trap === undefined || !counted || !isJump(trap)) return false;
  noteFixedTarget(program, trap);
  const t = time.seconds;
  noteMissed(program, trap, t);
  const target = toHexadecimal(toAddress(trap.ip));
  const isOpen = (id: string) => findOpen(program.episodes, id, t, rule.quiet);
  if (isOpen('instruction-pointer-probe') !== undefined) return true;
  const open = isOpen(RULE);
  if (open !== undefined) {
    open.evidence += 1;
    addValue(open, target, context.limits.maxValues);
    open.touched = context.sequence;
    if (open.detail[0] === 'various' && open.severity !== 'high') {
      const still = patternOf(program, faultsOf(program, 'jumps', t, rule.window), t, rule) === 'various';
      open.detail = still ? ['various'] : ['various', RETURNING];
    }
    return true;
  }
  const jumps = faultsOf(program, 'jumps', t, rule.window);
  const pattern = jumps.length < rule.minJumps ? undefined : patternOf(program, jumps, t, rule);
  if (pattern === undefined || (pattern !== CONSTANT && isTextScanned(program, jumps.length, t, rule.window)))
    return true;
  const earliest = jumps.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const first = { seconds: earliest.seconds, nanos: 0 };
  const episode = openEpisode(
    {
      rule: RULE,
      hostname: program.host.name,
      program: program.name,
      register: 'ip',
      place: 'absolute',
      first,
      value: toHexadecimal(earliest),
    },
    { procname: program.comm, file: null },
    jumps.length,
  );
  for (const jump of jumps) addValue(episode, toHexadecimal(jump), context.limits.maxValues);
  episode.detail = [pattern];
  episode.crashes = jumps.length;
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === RULE && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  return true;
}

/**
 * Returns true if the program crashed at more places of its files than it jumped elsewhere. The jumps are then part of
 * a scan of the text that continued to an address from the stack. It is one attack, which the rule for instruction
 * pointers reports with its 12th to 16th place.
 */
function isTextScanned(program: Program, jumps: number, t: number, window: number): boolean {
  const { points } = program;
  let places = unmappedPlaces(program);
  for (let index = 0; index * place.STRIDE < points.length; index += 1)
    if ((points[index * place.STRIDE + place.SPACE] as number) > 0 && place.isInWindow(points, index, t, window))
      places += 1;
  return places > jumps;
}

/**
 * Returns the pattern of the jumps, or undefined if broken pointers explain them. When a program is executed again, a
 * broken pointer moves with the layout: the page differs, the page offset does not. Several page offsets, most of them
 * tried once, are therefore no broken pointer, unless they are links in freed memory. Neither is one address in several
 * layouts, unless it is a null pointer.
 */
function patternOf(
  program: Program,
  jumps: readonly PlacedFault[],
  t: number,
  rule: JumpSettings,
): JumpPattern | undefined {
  const guesses = jumps.filter((jump) => jump.offset !== 0 && !isFixedTarget(program, jump));
  const targets = countPlaces(areFreedLinks(guesses) ? [] : guesses, placeInPage);
  const singles = [...targets.values()].filter((count) => count === 1).length;
  if (targets.size >= rule.minTargets && singles >= guesses.length * rule.minSingles) return 'various';
  const layouts = new Map<string, Set<number>>();
  for (const jump of guesses) {
    const target = wholePlace(jump);
    const stacks = layouts.get(target) ?? new Set<number>();
    layouts.set(target, stacks.add(jump.stack));
  }
  if ([...layouts.values()].some(({ size }) => size >= rule.minImages)) return CONSTANT;
  return missesProgram(program, t, rule.window, rule.minImages) ? MISSED_PROGRAM : undefined;
}
