import { z } from 'zod';
import { addValue, covers, openEpisode } from '../episode.ts';
import type { RecordedCrash } from '../evidence/crash-places.ts';
import { claimSuppressed } from '../evidence/suppressed-messages.ts';
import { defineRule } from '../rule.ts';
import { toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

const ID = 'null-page-jump';
/** The first page is never mapped: an instruction pointer in it is a jump through a null pointer. */
const PAGE = 4096;

export const rule = defineRule({
  id: ID,
  version: 1,
  name: 'Jumps into the null page',
  severity: 'medium',
  registers: ['ip'],
  attack: [{ tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' }],
  summary:
    'One program crashes again and again by a jump into the first page of memory: a function pointer is overwritten.',
  runbook: {
    nextChecks: [
      'Compare the times of the crashes with the access log of the program and find the client that causes them.',
      'Keep a core dump and read the caller from the stack: it holds the call through the overwritten pointer.',
      'Check whether `vm.mmap_min_addr` is 65536 or more on the host, so that the null page cannot be mapped.',
      'Look for other detections of the same program: jumps to other addresses follow once the pointer is controlled.',
    ],
    falsePositives: [
      'A program with a plugin that is missing calls through a pointer that nobody set: the crashes follow one function.',
      'A test suite for crash handlers: started by a known user on a build host. Add an exception with an expiry.',
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(600).describe('The crashes lie within so many seconds'),
    quiet: z.number().positive().default(3_600).describe('The episode ends after so long without a crash, seconds'),
    minCrashes: z.number().int().min(2).max(1_000).default(100).describe('Crashes in the null page within the window'),
  }),
  message: (_, { program, where, crashes }) =>
    `${program}${where} jumps into the null page (${crashes}): an overwritten function pointer.`,
  evidence: { crash: takeCrash },
});

function takeCrash(
  context: TrackerContext,
  program: Program,
  { at, time, counted }: RecordedCrash,
  { window, quiet, minCrashes }: { window: number; quiet: number; minCrashes: number },
): boolean {
  if (!counted || at.space !== 0 || at.offset >= PAGE) return false;
  const t = time.seconds;
  const value = toHexadecimal({ space: 0, offset: at.offset });
  const open = program.episodes?.find((episode) => episode.rule === ID && covers(episode, t, quiet));
  if (open !== undefined) {
    open.evidence += 1;
    open.touched = context.sequence;
    addValue(open, value, context.limits.maxValues);
    return true;
  }
  const seconds = ruleMemory(program, ID);
  seconds.push(t);
  if (seconds.length > minCrashes) seconds.shift();
  if (seconds.length < minCrashes || Math.max(...seconds) - Math.min(...seconds) > window) return true;
  const first = { seconds: Math.min(...seconds), nanos: 0 };
  const episode = openEpisode(
    { rule: ID, hostname: program.host.name, program: program.name, register: 'ip', place: 'absolute', first, value },
    { procname: program.comm, file: null },
    seconds.length,
  );
  episode.crashes = seconds.length - 1;
  episode.touched = context.sequence;
  addValue(episode, value, context.limits.maxValues);
  const ended = program.episodes?.find((other) => other.rule === ID);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  program.memory?.delete(ID);
  return true;
}
