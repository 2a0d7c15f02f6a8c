import { addValue, findOpen, openEpisode } from '../episode.ts';
import { toAddress, toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import type { RecordedCrash } from './crash-places.ts';
import { countPlaces, faultsOf, isJump, type PlacedFault, placeInPage, wholePlace } from './placed-faults.ts';
import { claimSuppressed } from './suppressed-messages.ts';

const RULE = 'unmapped-jump';

/** Why jumps are a probe, the first detail of an episode: one address in every layout, or many addresses. */
export type JumpPattern = typeof CONSTANT | 'various';
const CONSTANT = 'constant';
/** Second detail of an episode whose jumps came back to their targets since: a few broken pointers explain them. */
export const RETURNING = 'returning';

interface JumpSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minJumps: number;
  readonly minTargets: number;
  readonly minSingles: number;
  readonly minImages: number;
}

/** Whether the layouts of the program are being guessed at `t`: an open detection of one address that is tried in many layouts. */
export function isLayoutGuessed({ episodes }: Program, t: number, margin: number): boolean {
  return findOpen(episodes, RULE, t, margin)?.detail[0] === CONSTANT;
}

/**
 * Lets the rule judge a jump to unmapped memory. Jumps of one image to many targets are those of the rule for instruction pointers, which records
 * them; while it reports the program this rule stays silent. Returns whether the program shows signs of probing.
 */
export function judgeJumps(
  context: TrackerContext,
  program: Program,
  { trap, counted, time }: RecordedCrash,
  rule: JumpSettings,
): boolean {
  if (trap === undefined || !counted || !isJump(trap)) return false;
  const t = time.seconds;
  const target = toHexadecimal(toAddress(trap.ip));
  const isOpen = (id: string) => findOpen(program.episodes, id, t, rule.quiet);
  if (isOpen('instruction-pointer-probe') !== undefined) return true;
  const open = isOpen(RULE);
  if (open !== undefined) {
    open.evidence += 1;
    addValue(open, target, context.limits.maxValues);
    open.touched = context.sequence;
    if (open.detail[0] !== CONSTANT && open.severity !== 'high') {
      const still = patternOf(faultsOf(program, 'jumps', t, rule.window), rule) !== undefined;
      open.detail = still ? ['various'] : ['various', RETURNING];
    }
    return true;
  }
  const jumps = faultsOf(program, 'jumps', t, rule.window);
  const pattern = jumps.length < rule.minJumps ? undefined : patternOf(jumps, rule);
  if (pattern === undefined || (pattern === 'various' && isTextScanned(program, jumps.length, t, rule.window)))
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
 * Whether the program crashed at more places of its files than it jumped elsewhere. The jumps are then the tries of a scan of the text that went on to an
 * address from the stack: one attack, which the rule for instruction pointers reports with its 12th to 16th place.
 */
function isTextScanned({ points }: Program, jumps: number, t: number, window: number): boolean {
  let places = 0;
  for (let index = 0; index * place.STRIDE < points.length; index += 1)
    if ((points[index * place.STRIDE + place.SPACE] as number) > 0 && place.isInWindow(points, index, t, window))
      places += 1;
  return places > jumps;
}

/**
 * A broken pointer of a program that is executed again moves with its layout: the page differs, the offset within the page does not. So
 * several offsets within pages, most of them tried once, are no broken pointer, and neither is one address in several layouts, but for a null pointer.
 */
function patternOf(jumps: readonly PlacedFault[], rule: JumpSettings): JumpPattern | undefined {
  const guesses = jumps.filter(({ offset }) => offset !== 0);
  const targets = countPlaces(guesses, placeInPage);
  const singles = [...targets.values()].filter((count) => count === 1).length;
  if (targets.size >= rule.minTargets && singles >= guesses.length * rule.minSingles) return 'various';
  const layouts = new Map<string, Set<number>>();
  for (const jump of guesses) {
    const target = wholePlace(jump);
    const stacks = layouts.get(target) ?? new Set<number>();
    layouts.set(target, stacks.add(jump.stack));
  }
  return [...layouts.values()].some(({ size }) => size >= rule.minImages) ? CONSTANT : undefined;
}
