import { z } from 'zod';
import { defineRule } from '../rule.ts';
import { CRASHES, isInWindow, OFFSET, RETURNS, SPACE, STRIDE } from '../state/crash-points.ts';

export const instructionPointerProbe = defineRule({
  id: 'instruction-pointer-probe',
  version: 1,
  name: 'Instruction pointer probe',
  severity: 'high',
  registers: ['ip'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'The instruction pointer of one program’s crashes moves systematically, by 1 to 16 bytes a step, in whatever order: somebody looks for places to jump to.',
  runbook: {
    nextChecks: [
      'Compare the times of the crashes with the program’s access log: which client connected just before each of them? Block it at the edge.',
      'See whether the crashes stopped. A scan that stops on its own has found what it looked for: treat the host as compromised from that moment (new processes, outbound connections, changed files of the program’s user).',
      'Count `suppressedAtLeast`: the kernel prints about ten such lines in five seconds, so the true number of attempts is higher by that much.',
      'Look up the values in the binary (`addr2line -e FILE ADDRESS`, `objdump -d`): steps of 16 bytes in the procedure linkage table are the late stage of a blind return-oriented-programming attack.',
      'Restart the program rather than let it fork on: only a new execution gets a new address layout and a new canary. Keep a core dump and the binary first.',
      'Search other hosts for crashes of the same program at the same time.',
    ],
    falsePositives: [
      'A fuzzer or a crash test in a development environment: its crashes lie at many places, but it is started by a known user. Add an exception for the host or program with an expiry.',
      'A damaged binary or bad memory: the crashes spread over many programs, not one.',
      'A just-in-time compiler under test that emits broken code: the values have no file and differ from run to run.',
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Crashes count together for so long, seconds'),
    quiet: z.number().positive().default(21_600).describe('The episode ends after so long without evidence, seconds'),
    maxStep: z.number().int().min(1).default(16).describe('Largest step between neighbours, bytes'),
    maxGap: z.number().int().min(1).default(64).describe('Largest hole inside a longer run, bytes'),
    minDistinct: z.number().int().min(3).default(3).describe('Distinct addresses of a run without holes'),
    minDistinctWithGaps: z.number().int().min(3).default(6).describe('Distinct addresses of a run with holes'),
    maxCrashesPerAddress: z
      .number()
      .positive()
      .default(3)
      .describe('Below minDistinctWithGaps addresses: more crashes an address are a crash loop, not a probe'),
    criticalDistinct: z.number().int().default(64).describe('So many distinct addresses make it critical'),
    criticalCrashes: z
      .number()
      .int()
      .default(1_000)
      .describe('So many crashes, suppressed ones included, make it critical'),
  }),
});

export type InstructionPointerThresholds = z.infer<typeof instructionPointerProbe.thresholds>;

/** Places `from` to `to` (indexes, inclusive) of one space that belong together. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly distinct: number;
}

/** A run that holds no more than this many places is judged at most: bounds the work an attacker can cause an event. */
const MAX_WALK = 256;

/**
 * Whether the place at `index`, new or new again at time `t`, completes a systematic move; the run around it when it does.
 *
 * Looks at the set of addresses, never at the order of arrival, so that shuffling, interleaving and delays change nothing. Two
 * ways to qualify:
 *  1. `minDistinct` addresses, each at most `maxStep` from the next. While there are fewer than `minDistinctWithGaps`, a crash
 *     loop between a few sites looks the same, so the crashes may be at most `maxCrashesPerAddress` an address and none may have
 *     come back to a site after its neighbour had crashed.
 *  2. `minDistinctWithGaps` addresses with holes of at most `maxGap`, when something in them is regular: two neighbours
 *     within `maxStep`, or a common divisor of 4 or more of all distances (stubs and aligned scans), or twice as many addresses.
 */
export function findRun(
  points: readonly number[],
  index: number,
  t: number,
  thresholds: InstructionPointerThresholds,
): Run | undefined {
  const { window, maxStep, maxGap, minDistinct, minDistinctWithGaps } = thresholds;
  const loose = expand(points, index, t, window, Math.max(maxGap, maxStep));
  if (loose.distinct < minDistinct) return undefined;
  const strict = expand(points, index, t, window, maxStep);
  if (strict.distinct >= minDistinct) {
    if (strict.distinct >= minDistinctWithGaps) return loose;
    const { crashes, returns } = tally(points, strict, t, window);
    if (returns === 0 && crashes <= strict.distinct * thresholds.maxCrashesPerAddress) return loose;
  }
  if (loose.distinct < minDistinctWithGaps) return undefined;
  if (loose.distinct >= 2 * minDistinctWithGaps) return loose;
  const { links, divisor } = regularity(points, loose, t, window, maxStep);
  return links >= 2 || divisor >= 4 ? loose : undefined;
}

/** The longest stretch around `index` whose neighbours are at most `reach` apart; places outside the window are as if not there. */
function expand(points: readonly number[], index: number, t: number, window: number, reach: number): Run {
  const space = points[index * STRIDE + SPACE] as number;
  const last = points.length / STRIDE - 1;
  let distinct = 1;
  let from = index;
  let edge = points[index * STRIDE + OFFSET] as number;
  for (let i = index - 1; i >= 0 && index - i <= MAX_WALK; i -= 1) {
    if (points[i * STRIDE + SPACE] !== space || edge - (points[i * STRIDE + OFFSET] as number) > reach) break;
    if (!isInWindow(points, i, t, window)) continue;
    from = i;
    edge = points[i * STRIDE + OFFSET] as number;
    distinct += 1;
  }
  let to = index;
  edge = points[index * STRIDE + OFFSET] as number;
  for (let i = index + 1; i <= last && i - index <= MAX_WALK; i += 1) {
    if (points[i * STRIDE + SPACE] !== space || (points[i * STRIDE + OFFSET] as number) - edge > reach) break;
    if (!isInWindow(points, i, t, window)) continue;
    to = i;
    edge = points[i * STRIDE + OFFSET] as number;
    distinct += 1;
  }
  return { from, to, distinct };
}

function tally(points: readonly number[], run: Run, t: number, window: number): { crashes: number; returns: number } {
  let crashes = 0;
  let returns = 0;
  for (let i = run.from; i <= run.to; i += 1) {
    if (!isInWindow(points, i, t, window)) continue;
    crashes += points[i * STRIDE + CRASHES] as number;
    returns += points[i * STRIDE + RETURNS] as number;
  }
  return { crashes, returns };
}

function regularity(
  points: readonly number[],
  run: Run,
  t: number,
  window: number,
  maxStep: number,
): { links: number; divisor: number } {
  let links = 0;
  let divisor = 0;
  let previous = points[run.from * STRIDE + OFFSET] as number;
  for (let i = run.from + 1; i <= run.to; i += 1) {
    if (!isInWindow(points, i, t, window)) continue;
    const offset = points[i * STRIDE + OFFSET] as number;
    if (offset - previous <= maxStep) links += 1;
    divisor = greatestCommonDivisor(divisor, offset - previous);
    previous = offset;
  }
  return { links, divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
