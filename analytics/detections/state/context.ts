import type { Instant } from '#schemas/events/accepted.ts';
import type { Episode } from '../episode.ts';

import type { EvidenceEvent } from '../evidence-event.ts';

import type { Program } from './program.ts';

/** Memory limits, from `limits` of the settings. */
export interface TrackerLimits {
  readonly maxValues: number;
  readonly maxPointsPerProgram: number;
}

/** State and functions that the parts of a tracker share. */
export interface TrackerContext {
  readonly limits: TrackerLimits;
  /** Records that the current event extended the episode: updates its time, severity and revision, and reports it. */
  revise(episode: Episode, time: Instant): void;
  /** Number of the current event, from 1. */
  sequence: number;
  /** With the justification `full`, the events of the current event's program. */
  evidence: readonly EvidenceEvent[] | undefined;
}

/** Maximum number of episodes kept per program, over all rules. */
const MAX_EPISODES = 6;

/** Adds a probe episode to its program and its host. Drops the least recently active one if the list is full. */
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

/** Removes an episode that has ended or whose program was evicted. */
export function forgetProbe(program: Program, episode: Episode): void {
  program.episodes = without(program.episodes, episode);
  program.host.probes = without(program.host.probes, episode);
}

export function without<T>(list: T[] | undefined, item: T): T[] | undefined {
  const kept = list?.filter((other) => other !== item);
  return kept === undefined || kept.length === 0 ? undefined : kept;
}
