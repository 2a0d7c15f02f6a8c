import type { Instant } from '#schemas/events/accepted.ts';
import type { Episode } from '../episode.ts';

import type { EvidenceEvent } from '../evidence-event.ts';

import type { Program } from './program.ts';

/** Bounds of what is kept, from `limits` of the settings. */
export interface TrackerLimits {
  readonly maxValues: number;
  readonly maxPointsPerProgram: number;
}

/** What the parts of a tracker share. */
export interface TrackerContext {
  readonly limits: TrackerLimits;
  /** The episode took in the event being fed: brings its time, severity and revision up to date and reports it. */
  revise(episode: Episode, time: Instant): void;
  /** Number of the event being fed, from 1. */
  sequence: number;
  /** With the justification `full`, the events of the program whose event is being fed. */
  evidence: readonly EvidenceEvent[] | undefined;
}

/** Episodes of a program that are remembered at most, of all rules together. */
const MAX_EPISODES = 6;

/** Remembers a probe episode with its program and its host; the least recently active gives way. */
export function rememberProbe(program: Program, episode: Episode): void {
  program.episodes ??= [];
  if (program.episodes.length >= MAX_EPISODES) {
    const stalest = program.episodes.reduce((a, b) => (b.touched < a.touched ? b : a));
    forgetProbe(program, stalest);
  }
  program.episodes ??= [];
  program.episodes.push(episode);
  program.host.probes ??= [];
  program.host.probes.push(episode);
}

/** The episode has ended, or its program is forgotten. */
export function forgetProbe(program: Program, episode: Episode): void {
  program.episodes = without(program.episodes, episode);
  program.host.probes = without(program.host.probes, episode);
}

export function without<T>(list: T[] | undefined, item: T): T[] | undefined {
  const kept = list?.filter((other) => other !== item);
  return kept === undefined || kept.length === 0 ? undefined : kept;
}
