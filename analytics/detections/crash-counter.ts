import type { Instant } from '#schemas/events/accepted.ts';
import { covers, type Episode } from './episode.ts';
import { countLogged, type LoggedLine } from './evidence/suppressed-messages.ts';
import type { BoundRules } from './rule-bindings.ts';
import type { TrackerContext } from './state/context.ts';
import type { Program } from './state/program.ts';
import type { ProgramStore } from './state/program-store.ts';
import { REPORTED_BY, type RecentCrashes, type ReportedBy } from './state/recent-crashes.ts';

/** Counts each crash once: in the open episodes of its program, and among the lines that the kernel logged. */
interface CrashCounter {
  /**
   * Records a report of a crash. Returns the source of an earlier report of the same crash, or undefined if there is
   * none.
   */
  reportedBefore(program: Program, pid: number, time: Instant, by: ReportedBy): ReportedBy | undefined;
  /**
   * Returns `countedWitness` if an open episode of the program will count a report without registers, else `witness`.
   */
  byWitness(program: Program, time: Instant): ReportedBy;
  /**
   * Adds the crash to the open episodes of the program if it is `counted`. Reports a revision of each episode that
   * changed.
   */
  settle(program: Program, time: Instant, promising: boolean, line: LoggedLine | undefined, counted: boolean): void;
}

interface CounterParts {
  readonly context: TrackerContext;
  readonly store: ProgramStore;
  readonly rules: BoundRules;
  readonly recent: RecentCrashes;
}

/** Creates the counter of one tracker. */
export function createCrashCounter({ context, store, rules, recent }: CounterParts): CrashCounter {
  function reportedBefore(program: Program, pid: number, { seconds }: Instant, by: ReportedBy): ReportedBy | undefined {
    return recent.note(program, pid, seconds, by);
  }

  function byWitness({ episodes }: Program, { seconds }: Instant): ReportedBy {
    const isCounted = episodes?.some((episode) => covers(episode, seconds, rules.quietOf(episode))) === true;
    return isCounted ? REPORTED_BY.countedWitness : REPORTED_BY.witness;
  }

  function settle(
    program: Program,
    time: Instant,
    promising: boolean,
    line: LoggedLine | undefined,
    counted: boolean,
  ): void {
    if (line !== undefined) countLogged(program.host, time, line);
    if (program.episodes !== undefined) countCrash(program.episodes, time, counted);
    store.settle(program, counted, promising || program.episodes !== undefined);
  }

  function countCrash(episodes: readonly Episode[], time: Instant, counted: boolean): void {
    for (const episode of episodes) {
      const grown = episode.touched === context.sequence;
      const counts = counted && episode.revision > 0 && covers(episode, time.seconds, rules.quietOf(episode));
      if (counts) episode.crashes += 1;
      if (counts || grown) context.revise(episode, time);
    }
  }

  return { reportedBefore, byWitness, settle };
}
