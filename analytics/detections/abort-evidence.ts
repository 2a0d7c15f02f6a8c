import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, covers, openEpisode } from './episode.ts';
import { type Abort, findAborts } from './rules/stack-canary-probe.ts';
import { type Address, parseRegister } from './state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from './state/context.ts';
import type { Program } from './state/program.ts';
import { claimSuppressed } from './suppressed.ts';

/** A program's latest aborts, flat: seconds, nanoseconds, space and offset of what tells the image apart. */
const FIELDS = 4;
/** No space of an address is positive: the dump did not tell. */
const UNKNOWN_IMAGE = 1;
/** So many times what the rule needs are kept at most, so that aborts with forged times do not push the others out. */
const SPARE = 4;
/** After so many the old ones are looked for: those out of the window of each of the latest arrivals. */
const PRUNE_EVERY = 16;
const LATEST = 9;
const PROMISING = 8;

/** Takes in an abort of the program and lets the canary rule judge. Returns whether the program shows signs of probing. */
export function addAbort(
  context: TrackerContext,
  program: Program,
  dump: Readonly<Record<string, string>>,
  time: Instant,
): boolean {
  const rule = context.settings.rules['stack-canary-probe'];
  if (!rule.enabled) return false;
  const t = time.seconds + time.nanos / 1e9;
  const open = program.episodes?.find((e) => e.rule === 'stack-canary-probe' && covers(e, t, rule.quiet));
  if (open !== undefined) {
    open.evidence += 1;
    open.touched = context.sequence;
    return true;
  }
  const image = imageOf(dump);
  program.aborts ??= [];
  const { aborts } = program;
  if (aborts.length >= rule.minAborts * SPARE * FIELDS) aborts.splice(0, FIELDS);
  if (aborts.length % (PRUNE_EVERY * FIELDS) === 0) pruneAborts(aborts, rule.window);
  aborts.push(time.seconds, time.nanos, image?.space ?? UNKNOWN_IMAGE, image?.offset ?? 0);
  const count = aborts.length / FIELDS;
  if (count < rule.minAborts) return count >= PROMISING;
  const found = findAborts(readAborts(aborts), t, rule);
  if (found === undefined) return true;

  const times = found.map((i) => ({ seconds: aborts[i * FIELDS] as number, nanos: aborts[i * FIELDS + 1] as number }));
  const first = times.reduce((a, b) => (compareInstants(b, a) < 0 ? b : a));
  const episode = openEpisode(
    {
      rule: 'stack-canary-probe',
      hostname: program.host.name,
      program: program.name,
      register: 'canary',
      place: 'abort',
      first,
      value: 'SIGIOT',
    },
    { procname: program.comm, file: null },
    found.length,
  );
  episode.crashes = found.length;
  episode.touched = context.sequence;
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, time);
  program.aborts = undefined;
  return true;
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

/** FS holds the thread pointer on x86-64; it is 0 in 32-bit programs and missing elsewhere. */
function imageOf(dump: Readonly<Record<string, string>>): Address | undefined {
  const fs = parseRegister(dump.FS);
  if (fs !== undefined && (fs.space !== 0 || fs.offset !== 0)) return fs;
  return parseRegister(dump.RIP ?? dump.pc ?? dump.RSP ?? dump.sp);
}

function readAborts(flat: readonly number[]): Abort[] {
  const aborts: Abort[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    const space = flat[i + 2] as number;
    const offset = flat[i + 3] as number;
    aborts.push({
      t: (flat[i] as number) + (flat[i + 1] as number) / 1e9,
      image: space === UNKNOWN_IMAGE ? undefined : space === 0 ? offset : `${space}:${offset}`,
    });
  }
  return aborts;
}
