import type { Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal, KernelTrap } from '#schemas/events/event.ts';
import { type ProcessFacts, processFacts } from '#schemas/events/process-facts.ts';
import type { Episode } from './episode.ts';
import { agreeOn } from './state/agreed-process.ts';
import type { Program } from './state/program.ts';

/** What crashes say of their processes, brought from events into programs and episodes. */
export interface ProcessAgreement {
  /** Notes what the event being fed says of its process, starting again after a time without crashes. */
  note(program: Program, event: KernelTrap | FatalSignal, time: Instant): void;
  /** Brings the process of an episode up to date that took in the event being fed. */
  take(episode: Episode): void;
  /** The next event begins. */
  next(): void;
}

/** `window`: crashes that lie further apart, in seconds, cannot be evidence of one episode before it opens. */
export function createProcessAgreement(window: number): ProcessAgreement {
  /** Program of the crash that is being fed, what its event says of its process, and its time. */
  let fed: Program | undefined;
  let facts: ProcessFacts | null = null;
  let fedSeconds = 0;

  const isRecent = (known: Program['process'], seconds: number) =>
    known !== undefined && Math.abs(seconds - known.seconds) <= window;

  return {
    note(program, event, { seconds }) {
      fed = program;
      // Read by its name: most events say nothing of their process.
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
      // A new episode rests on earlier crashes, so it begins with what all crashes of its program agree on.
      if (episode.revision === 0) episode.process = isRecent(fed.process, fedSeconds) ? fed.process?.agreed : undefined;
      else if (facts !== null) episode.process = agreeOn(episode.process, facts);
    },
    next() {
      fed = undefined;
    },
  };
}
