import type { FiringWindow, Group } from './group.ts';

/*
 * For a rule over ordered events, the group stores chains of events per stage except the last: the latest chains that
 * reached the stage. A chain is the time at which it begins and the time at which it reached the stage, in
 * milliseconds. A stage has a fixed number of places. The oldest is overwritten first, and an unused place holds NaN.
 */
const PLACES = 4;
const CHAIN = 2;

/** Adds the event of a stage. Returns the window of a chain that it completes. Events count in order of arrival. */
export function addStage(
  { sequences }: Group,
  {
    stage,
    stages,
    time,
    spanMs,
  }: { readonly stage: number; readonly stages: number; readonly time: number; readonly spanMs: number },
): FiringWindow | undefined {
  while (sequences.length < (stages - 1) * PLACES * CHAIN) sequences.push(Number.NaN);
  const begin = stage === 0 ? time : latestBegin(sequences, stage - 1, time, spanMs);
  if (begin === undefined) return undefined;
  if (stage === stages - 1) return { begin, count: stages, crashes: 0, labels: [] };
  const first = stage * PLACES * CHAIN;
  sequences.copyWithin(first + CHAIN, first, first + (PLACES - 1) * CHAIN);
  sequences[first] = begin;
  sequences[first + 1] = time;
  return undefined;
}

/** Returns the start of the latest chain that reached the stage by this time and is not too old. */
function latestBegin(sequences: readonly number[], stage: number, time: number, spanMs: number): number | undefined {
  let latest: number | undefined;
  for (let i = 0; i < PLACES; i += 1) {
    const at = (stage * PLACES + i) * CHAIN;
    const begin = sequences[at] as number;
    if (!((sequences[at + 1] as number) <= time && time - begin <= spanMs)) continue;
    if (latest === undefined || begin > latest) latest = begin;
  }
  return latest;
}
