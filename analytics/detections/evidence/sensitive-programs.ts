import type { Instant } from '#schemas/events/accepted.ts';
import { findOpen, openEpisode } from '../episode.ts';
import { rememberProbe, type TrackerContext } from '../state/context.ts';
import type { Program } from '../state/program.ts';

const RULE = 'sensitive-program-crash';

interface SensitiveSettings {
  readonly quiet: number;
  readonly programs: string;
}

/** The program list used last. Every crash needs it, usually with the settings of one tracker. */
let latest: { readonly rule: SensitiveSettings; readonly names: ReadonlySet<string> } | undefined;
/** Parsed program lists by settings. */
const lists = new WeakMap<SensitiveSettings, ReadonlySet<string>>();

/** Returns true if the program is on the list. */
export function isSensitive(name: string, rule: SensitiveSettings): boolean {
  return namesOf(rule).has(name);
}

/** Records a crash of a listed program. Returns true if the program is listed. */
export function addSensitiveCrash(
  context: TrackerContext,
  program: Program,
  { time, counted = true }: { readonly time: Instant; readonly counted?: boolean },
  rule: SensitiveSettings,
): boolean {
  if (!counted || !isSensitive(program.name, rule)) return false;
  const open = findOpen(program.episodes, RULE, time.seconds, rule.quiet);
  if (open !== undefined) {
    open.evidence += 1;
    open.touched = context.sequence;
    return true;
  }
  const episode = openEpisode(
    {
      rule: RULE,
      hostname: program.host.name,
      program: program.name,
      register: null,
      place: 'program',
      first: time,
      value: program.name,
    },
    { procname: program.comm, file: null },
    1,
  );
  episode.crashes = 1;
  episode.touched = context.sequence;
  rememberProbe(program, episode);
  return true;
}

function namesOf(rule: SensitiveSettings): ReadonlySet<string> {
  if (latest?.rule !== rule) latest = { rule, names: parsedNames(rule) };
  return latest.names;
}

function parsedNames(rule: SensitiveSettings): ReadonlySet<string> {
  let names = lists.get(rule);
  if (names === undefined) {
    // The kernel truncates process names to 15 characters.
    names = new Set(
      rule.programs
        .split(',')
        .map((name) => name.trim().slice(0, 15))
        .filter((name) => name !== ''),
    );
    lists.set(rule, names);
  }
  return names;
}
