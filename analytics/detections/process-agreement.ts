import type { ProcessFacts } from '#schemas/events/process-facts.ts';
import type { Episode } from './episode.ts';
import { agreeOn } from './state/agreed-process.ts';
import type { Program } from './state/program.ts';

/** The crash that is being fed. */
export interface FedCrash {
  readonly program: Program;
  /** What its event says of its process. */
  readonly facts: ProcessFacts | null;
  readonly seconds: number;
  /** Crashes that lie further apart, in seconds, cannot be evidence of one episode before it opens. */
  readonly window: number;
}

/** Notes what a crash of the program says of its process, beginning anew after a time without crashes. */
export function knowProcess({ program, facts, seconds, window }: FedCrash): void {
  if (facts === null) return;
  const known = program.process;
  const isRecent = known !== undefined && Math.abs(seconds - known.seconds) <= window;
  const agreed = agreeOn(isRecent ? known.agreed : undefined, facts);
  if (agreed === undefined) return;
  const latest = isRecent ? Math.max(seconds, known.seconds) : seconds;
  if (agreed !== known?.agreed || latest !== known.seconds) program.process = { agreed, seconds: latest };
}

/**
 * Brings the process of an episode up to date that took in an event of the program. A new episode rests on earlier crashes, so it begins
 * with what all crashes of its program agree on.
 */
export function takeProcess(episode: Episode, { program, facts, seconds, window }: FedCrash): void {
  if (episode.program !== program.name) return;
  const known = program.process;
  if (episode.revision === 0)
    episode.process = known !== undefined && Math.abs(seconds - known.seconds) <= window ? known.agreed : undefined;
  else if (facts !== null) episode.process = agreeOn(episode.process, facts);
}
