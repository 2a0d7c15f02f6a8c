import { z } from 'zod';
import { defineRule } from '../rule.ts';

export const stackCanaryProbe = defineRule({
  id: 'stack-canary-probe',
  version: 1,
  name: 'Stack canary probe',
  severity: 'high',
  registers: ['canary'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'One forking program aborts again and again in quick succession, always from the same image in memory: a wrong byte of the stack protector’s canary costs the attacker one child, and the parent forks the next with the same canary.',
  runbook: {
    nextChecks: [
      'Look for `*** stack smashing detected ***` in the program’s error output or journal, or for `__stack_chk_fail` in the backtrace of a core dump (`coredumpctl debug`): with it this is an attack.',
      'Compare the aborts with the access log: one client, one connection an abort, the same request growing byte by byte. Block it.',
      'Count them: a canary has seven unknown bytes of at most 256 tries, about 900 on average. Aborts that end after that many mean that it is known; look for an instruction-pointer probe of the same program next.',
      'Stop the parent process and start it anew: children of a fork share the canary, a new execution draws another.',
      'Plan the lasting remedy: re-execute instead of fork for each connection, and fix the overflow.',
    ],
    falsePositives: [
      'A pre-forking daemon whose workers abort on their own (a failed assertion on a poisoned job) and are forked again without a pause: the same trace in the kernel log. The error output names the assertion, and the aborts go on without any client. Fix the restart pause, or add an exception with an expiry.',
      'A test suite of death tests (`EXPECT_DEATH`): a known user on a build host.',
      'A supervisor that executes the program anew is not reported: every execution has another address layout, unless address randomisation is off.',
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(20).describe('The aborts lie within so many seconds'),
    quiet: z.number().positive().default(600).describe('The episode ends after so long without an abort, seconds'),
    minAborts: z.number().int().min(3).default(40).describe('Aborts of one program within the window'),
    sameImage: z
      .number()
      .min(0)
      .max(1)
      .default(0.8)
      .describe('Share of the aborts that come from one image in memory, where the dump tells'),
    criticalAborts: z.number().int().default(900).describe('So many aborts make it critical: the canary may be known'),
  }),
});

export type StackCanaryThresholds = z.infer<typeof stackCanaryProbe.thresholds>;

/**
 * One abort: its time in seconds and what tells the image in memory apart, which a fork keeps and an execution draws anew: the
 * thread pointer FS, else the instruction pointer, else the stack pointer. Undefined when the dump holds none of them.
 */
export interface Abort {
  readonly t: number;
  readonly image: number | string | undefined;
}

/**
 * The indexes of at least `minAborts` aborts within `window` seconds, among them the one at `t`, of which the share `sameImage` at
 * least comes from one image as far as the dumps tell; else undefined.
 *
 * Decided for pre-forking daemons whose workers abort by themselves: below two aborts a second (40 in 20 s) nothing is reported,
 * which leaves out every supervisor and master process with a pause of a second for one worker. Above, the kernel log holds nothing
 * that tells them from an attack (same image, same place, pids that count up), so they are reported, and the runbook says how to tell.
 */
export function findAborts(
  aborts: readonly Abort[],
  t: number,
  thresholds: StackCanaryThresholds,
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
