import type { Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal, KernelTrap } from '#schemas/events/event.ts';
import { type ProcessFacts, processFacts } from '#schemas/events/process-facts.ts';
import type { Episode } from './episode.ts';
import { agreeOn } from './state/agreed-process.ts';
import type { Program } from './state/program.ts';

/** Transfers the facts that crashes report about their processes from events to programs and episodes. */
export interface ProcessAgreement {
  /**
   * Records the process facts of the current event. Starts from scratch if the program has not crashed within the
   * window.
   */
  note(program: Program, event: KernelTrap | FatalSignal, time: Instant): void;
  /** Updates the process facts of an episode that the current event extended. */
  take(episode: Episode): void;
  /** Resets the state for the next event. */
  next(): void;
}

/** `window`: seconds. Crashes further apart cannot be evidence of the same episode before it opens. */
export function createProcessAgreement(window: number): ProcessAgreement {
  /** Program of the current crash, process facts of its event, and its time. */
  let fed: Program | undefined;
  let facts: ProcessFacts | null = null;
  let fedSeconds = 0;

  const isRecent = (known: Program['process'], seconds: number) =>
    known !== undefined && Math.abs(seconds - known.seconds) <= window;

  return {
    note(program, event, { seconds }) {
      fed = program;
      // Checks for the field first, because most events have no process facts.
      facts = (event as { readonly process?: unknown }).process === undefined ? null : processFacts(event);
      fedSeconds = seconds;
      if (facts === null) return;
      const known = isRecent(program.process, seconds) ? program.process : undefined;
      const agreed = agreeOn(known?.agreed, facts);
      if (agreed === undefined) return;
      const latest = Math.max(seconds, known?.seconds ?? seconds);
      if (agreed !== known?.agreed || latest !== known.seconds) program.process = { agreed, seconds: latest };
    },
    take(episode) {
      if (fed === undefined || episode.program !== fed.name) return;
      // A new episode includes earlier crashes, so it starts with the facts on which all crashes of its program agree.
      if (episode.revision === 0) episode.process = isRecent(fed.process, fedSeconds) ? fed.process?.agreed : undefined;
      else if (facts !== null) episode.process = agreeOn(episode.process, facts);
    },
    next() {
      fed = undefined;
    },
  };
}
