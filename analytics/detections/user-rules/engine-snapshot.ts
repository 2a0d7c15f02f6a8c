import type { Detection, Severity } from '#schemas/detection.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { Episode } from '../episode.ts';
import type { Outbox } from '../outbox.ts';
import type { SeenLines } from '../state/seen-lines.ts';
import type { Group } from './group.ts';
import { type RuleState, weigh } from './rule-state.ts';

/** The whole state of an engine. */
export interface EngineState {
  readonly states: readonly RuleState[];
  readonly byId: ReadonlyMap<string, RuleState>;
  readonly pending: Outbox['pending'];
  readonly seen: SeenLines;
  sequence: number;
}

type SavedEpisode = Omit<Episode, 'values' | 'severity'> & {
  readonly severity: Severity;
  readonly values: readonly string[];
};

interface Saved {
  readonly sequence: number;
  readonly seen: readonly number[];
  readonly rules: readonly {
    readonly id: string;
    readonly sha256: string;
    readonly groups: readonly (Omit<Group, 'episodes' | 'sequences'> & {
      readonly sequences: readonly (number | null)[];
      readonly episodes: readonly SavedEpisode[];
    })[];
  }[];
  /** Episodes changed since the last drain. Those of a group are given by rule, group and index. */
  readonly changed: readonly (SavedEpisode | readonly [rule: string, group: string, place: number])[];
  readonly announced: readonly string[];
}

const savedEpisode = ({ values, ...episode }: Episode): SavedEpisode => ({ ...episode, values: [...values] });
const restoredEpisode = ({ values, ...episode }: SavedEpisode): Episode => ({ ...episode, values: new Set(values) });

/** Serializes the state as JSON. */
export function writeEngineState({ states, pending, seen, sequence }: EngineState): string {
  const places = new Map<Episode, readonly [string, string, number]>();
  const rules = states.map(({ rule: { id, sha256 }, groups }) => ({
    id,
    sha256,
    groups: [...groups.values()].map((group) => {
      for (const [place, episode] of group.episodes.entries()) places.set(episode, [id, group.key, place]);
      return { ...group, episodes: group.episodes.map(savedEpisode) };
    }),
  }));
  const changed = [...pending.changed].map((episode) => places.get(episode) ?? savedEpisode(episode));
  const saved: Saved = {
    sequence,
    seen: seen.numbers(),
    rules,
    changed,
    announced: pending.announced.map((one) => stringifyExact(one)),
  };
  return JSON.stringify(saved);
}

/**
 * Fills an empty state. Skips the state of rules that have changed, except for detections that were still to be
 * reported.
 */
export function readEngineState(text: string, state: EngineState): void {
  const saved = JSON.parse(text) as Saved;
  state.sequence = saved.sequence;
  state.seen.restore(saved.seen);
  for (const { id, sha256, groups } of saved.rules) {
    const target = state.byId.get(id);
    if (target === undefined || target.rule.sha256 !== sha256) continue;
    for (const { episodes, sequences, ...group } of groups) {
      const restored: Group = {
        ...group,
        sequences: sequences.map((number) => number ?? Number.NaN),
        episodes: episodes.map(restoredEpisode),
      };
      target.groups.set(restored.key, restored);
      target.entries += weigh(restored);
    }
  }
  for (const one of saved.changed) {
    const episode =
      'id' in one
        ? state.byId.has(one.rule)
          ? restoredEpisode(one)
          : undefined
        : state.byId.get(one[0])?.groups.get(one[1])?.episodes[one[2]];
    if (episode !== undefined) state.pending.changed.add(episode);
  }
  state.pending.announced.push(...saved.announced.map((one) => parseExact(one) as Detection));
}
