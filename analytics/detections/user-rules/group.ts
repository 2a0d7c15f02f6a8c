import type { Episode } from '../episode.ts';
import { boundedKey, detachedCopy } from '../state/detached-copy.ts';
import type { EventField, FieldValue, JudgedEvent } from './event-fields.ts';
import { MAX_EPISODES_OF_GROUP } from './limits.ts';

/** State of a rule for the events with the same values of its group fields. */
export interface Group {
  readonly key: string;
  /** Values of the group fields as strings, null if the event has no such field. */
  readonly values: readonly (string | null)[];
  /** Ascending: twice the time in milliseconds, plus 1 if the event is a crash. */
  readonly entries: number[];
  /** Value or selection of each entry. Only for counts of distinct values and for temporal rules. */
  readonly labels: string[];
  /** Only for ordered temporal rules; see `sequence.ts`. */
  readonly sequences: number[];
  episodes: Episode[];
}

const MAX_LABEL = 128;
/** Number of entries kept in addition to those that fire, for out-of-order events. */
const SLACK = 32;

/** Creates an empty group. */
export function createGroup(key: string, values: readonly (string | null)[]): Group {
  return { key, values, entries: [], labels: [], sequences: [], episodes: [] };
}

/** Returns a label that is safe to store: short, and no slice of the event's text. Different labels stay different. */
export function labelOf(value: FieldValue): string {
  return typeof value === 'string' ? detachedCopy(value, MAX_LABEL) : String(value);
}

/** Determines the group of an event. Rules that group by the same fields share a reader, so each event is read once. */
export interface GroupReader {
  /** Returns the key of the event's group. */
  keyOf(event: JudgedEvent): string;
  /** Returns the values of the fields, copied so that they are safe to store. */
  valuesOf(event: JudgedEvent): readonly (string | null)[];
}

/** Creates the reader of these fields. */
export function createGroupReader(fields: readonly EventField[]): GroupReader {
  let last: JudgedEvent | undefined;
  let key = '';
  const textOf = (value: FieldValue): string | null => (value === null ? null : boundedKey(String(value), MAX_LABEL));
  return {
    keyOf(event) {
      if (event !== last) {
        key = JSON.stringify(fields.map((field) => textOf(field.read(event))));
        last = event;
      }
      return key;
    },
    valuesOf: (event) =>
      fields.map((field) => {
        const value = field.read(event);
        return value === null ? null : labelOf(value);
      }),
  };
}

export const entryOf = (milliseconds: number, isCrash: boolean): number => milliseconds * 2 + (isCrash ? 1 : 0);
export const millisecondsOf = (entry: number): number => Math.floor(entry / 2);

/** The entries of a window that fires: their number and the start of the window. */
export interface FiringWindow {
  readonly begin: number;
  readonly count: number;
  readonly crashes: number;
  /** Only for entries with labels. */
  readonly labels: readonly string[];
}

/**
 * Adds an event to the group. Returns a window of `spanMs` that contains the event and `need` entries, or undefined.
 * With a label, the entry replaces the one with the same label: the latest event of each value counts.
 */
export function addEntry(
  group: Group,
  entry: number,
  label: string | undefined,
  { need, spanMs }: { readonly need: number; readonly spanMs: number },
): FiringWindow | undefined {
  const { entries, labels } = group;
  let kept = -1;
  if (label !== undefined) {
    const before = labels.lastIndexOf(label);
    if (before >= 0) {
      kept = entries[before] as number;
      entries.splice(before, 1);
      labels.splice(before, 1);
    }
  }
  let at = insert(group, entry, label);
  while (entries.length > need + SLACK) {
    const dropsFirst = entry - (entries[0] as number) >= (entries.at(-1) as number) - entry;
    const out = dropsFirst ? 0 : entries.length - 1;
    entries.splice(out, 1);
    labels.splice(out, 1);
    if (dropsFirst) at -= 1;
  }
  const found = firingWindow(group, at, need, spanMs);
  // An event that arrived late must not move the time of its value backwards.
  if (label !== undefined && kept > entry) {
    entries.splice(at, 1);
    labels.splice(at, 1);
    insert(group, kept, label);
  }
  return found;
}

function insert({ entries, labels }: Group, entry: number, label: string | undefined): number {
  let at = entries.length;
  while (at > 0 && (entries[at - 1] as number) > entry) at -= 1;
  if (at === entries.length) entries.push(entry);
  else entries.splice(at, 0, entry);
  if (label !== undefined) labels.splice(at, 0, label);
  return at;
}

/** Returns the latest window within the span among `need` consecutive entries that contain the one at `at`. */
function firingWindow({ entries, labels }: Group, at: number, need: number, spanMs: number): FiringWindow | undefined {
  const last = Math.min(at, entries.length - need);
  for (let begin = last; begin >= Math.max(0, at - need + 1); begin -= 1) {
    const first = millisecondsOf(entries[begin] as number);
    if (millisecondsOf(entries[begin + need - 1] as number) - first > spanMs) continue;
    let crashes = 0;
    for (let i = begin; i < begin + need; i += 1) crashes += (entries[i] as number) % 2 === 0 ? 0 : 1;
    return { begin: first, count: need, crashes, labels: labels.slice(begin, begin + need) };
  }
  return undefined;
}

/** Adds an episode to its group. Drops the least recently active one if the list is full. */
export function keepEpisode(group: Group, episode: Episode): void {
  if (group.episodes.length >= MAX_EPISODES_OF_GROUP) {
    const stalest = group.episodes.reduce((a, b) => (b.touched < a.touched ? b : a));
    group.episodes = group.episodes.filter((one) => one !== stalest);
  }
  group.episodes.push(episode);
}
