import type { Instant } from '#schemas/events/accepted.ts';
import { hexadecimal } from '../../formats/hexadecimal.ts';
import { addValue, covers, type Episode, openEpisode } from '../episode.ts';
import { compileExpression, type Predicate } from './comparison.ts';
import type { EventField, FieldValue, JudgedEvent } from './event-fields.ts';
import {
  addEntry,
  createGroup,
  createGroupReader,
  entryOf,
  type FiringWindow,
  type Group,
  type GroupReader,
  keepEpisode,
  labelOf,
} from './group.ts';
import { MAX_ENTRIES, MAX_EPISODE_VALUES, MAX_GROUPS } from './limits.ts';
import { addStage } from './sequence.ts';
import type { UserRule } from './user-rule.ts';

/** State of a rule in a lane: its predicates and its groups. The least recently used group comes first. */
export interface RuleState {
  readonly rule: UserRule;
  readonly version: number;
  readonly groups: Map<string, Group>;
  /** Entries of all groups. */
  entries: number;
  /** Indexes of the selections that can match events of this type. */
  readonly byType: ReadonlyMap<string, readonly number[]>;
  readonly matches: readonly Predicate[];
  /** By selection. */
  readonly groupReaders: readonly GroupReader[];
  /** True if the rule counts matching selections instead of events. */
  readonly isTemporal: boolean;
}

/** Fields that an episode contains if its rule groups by them, in the order of `AGREED_NAMES`. */
const PROCESS_FIELDS = ['executable', 'build_id', 'uid', 'parent', 'unit', 'container', 'pod'] as const;

const ADDRESSES: ReadonlySet<string> = new Set(['ip', 'sp', 'location', 'vmastart', 'vmasize']);

/**
 * Creates the empty state of a rule. `readers`: readers shared by the rules of a lane, by the names of their fields.
 */
export function createRuleState(rule: UserRule, version: number, readers: Map<string, GroupReader>): RuleState {
  const byType = new Map<string, number[]>();
  // The last stage of a sequence is judged first, so that no event follows itself.
  for (const [i, { types }] of rule.selections.entries())
    for (const type of types) byType.set(type, [i, ...(byType.get(type) ?? [])]);
  const matches = rule.selections.map(({ expression }) => compileExpression(expression, rule.maxStates));
  const isTemporal = rule.correlation.type.startsWith('temporal');
  const groupReaders = rule.correlation.groupBy.map((fields) => sharedReader(readers, fields));
  return { rule, version, groups: new Map(), entries: 0, byType, matches, groupReaders, isTemporal };
}

function sharedReader(readers: Map<string, GroupReader>, fields: readonly EventField[]): GroupReader {
  const names = fields.map(({ name }) => name).join(' ');
  const reader = readers.get(names) ?? createGroupReader(fields);
  readers.set(names, reader);
  return reader;
}

export interface FedEvent {
  readonly event: JudgedEvent;
  readonly time: Instant;
  readonly sequence: number;
}

/** Passes an event to one selection of a rule. Returns the episode that opened or grew, which the caller reports. */
export function feedSelection(state: RuleState, selection: number, fed: FedEvent): Episode | undefined {
  const { rule } = state;
  const { event, time } = fed;
  const group = groupOf(state, selection, event);
  const before = weigh(group);
  const isCrash = event.columns.type === 'LinuxKernelTrap' || event.columns.type === 'LinuxFatalSignal';
  const value = rule.correlation.valueField?.read(event) ?? null;
  const isCounted = rule.correlation.type !== 'value_count' || value !== null;
  const window = isCounted ? fires(rule, group, { selection, time, isCrash, value }) : undefined;
  const episode = window === undefined ? undefined : growEpisode(state, group, window, { ...fed, isCrash, value });
  state.entries += weigh(group) - before;
  forgetOldest(state, group);
  return episode;
}

function fires(
  { correlation: { type, timespan, need }, selections }: UserRule,
  group: Group,
  {
    selection,
    time,
    isCrash,
    value,
  }: { readonly selection: number; readonly time: Instant; readonly isCrash: boolean; readonly value: FieldValue },
): FiringWindow | undefined {
  const spanMs = timespan * 1_000;
  const milliseconds = time.seconds * 1_000 + Math.floor(time.nanos / 1e6);
  if (type === 'single') return { begin: milliseconds, count: 1, crashes: isCrash ? 1 : 0, labels: [] };
  if (type === 'temporal_ordered')
    return addStage(group, { stage: selection, stages: selections.length, time: milliseconds, spanMs });
  const label = type === 'value_count' ? labelOf(value) : type === 'temporal' ? String(selection) : undefined;
  return addEntry(group, entryOf(milliseconds, isCrash), label, { need, spanMs });
}

/** Returns the episode of the group to which the evidence belongs, or a new one. */
function growEpisode(
  { rule }: RuleState,
  group: Group,
  window: FiringWindow,
  { time, sequence, isCrash, value, event }: FedEvent & { readonly isCrash: boolean; readonly value: FieldValue },
): Episode {
  const { type, valueField } = rule.correlation;
  let episode = group.episodes.find((one) => covers(one, time.seconds, rule.quiet));
  if (episode === undefined) {
    const exact = type === 'single';
    const first = exact
      ? time
      : { seconds: Math.floor(window.begin / 1_000), nanos: (((window.begin % 1_000) + 1_000) % 1_000) * 1e6 };
    episode = open(rule, group, first, window);
    if (type === 'value_count')
      for (const label of window.labels) addValue(episode, shown(valueField, label), MAX_EPISODE_VALUES);
    keepEpisode(group, episode);
  } else {
    episode.evidence += 1;
    if (isCrash) episode.crashes += 1;
  }
  if (type === 'value_count') addValue(episode, shown(valueField, labelOf(value)), MAX_EPISODE_VALUES);
  if (type === 'single' && event.columns.ip !== null)
    addValue(episode, hexadecimal(event.columns.ip), MAX_EPISODE_VALUES);
  episode.touched = sequence;
  return episode;
}

function open(rule: UserRule, group: Group, first: Instant, window: FiringWindow): Episode {
  const groupValue = (name: string): string | null => group.values[rule.correlation.groupNames.indexOf(name)] ?? null;
  const hostname = groupValue('hostname');
  const procname = groupValue('procname');
  const origin = { rule: rule.id, hostname, program: procname, register: null, place: group.key, first, value: '' };
  const episode = openEpisode(origin, { procname, file: groupValue('file') }, window.count);
  const values = PROCESS_FIELDS.map(groupValue);
  if (values.some((value) => value !== null)) episode.process = { values, conflicts: 0 };
  episode.severity = rule.severity;
  episode.crashes = window.crashes;
  return episode;
}

/** Formats addresses in hexadecimal, and leaves other values unchanged. */
function shown(field: EventField | undefined, label: string): string {
  const isAddress = field !== undefined && (ADDRESSES.has(field.name) || field.name.startsWith('registers.'));
  return isAddress && /^\d{1,20}$/.test(label) ? hexadecimal(BigInt(label)) : label;
}

/** Returns the group of an event, and marks it as most recently used. */
function groupOf({ groups, groupReaders }: RuleState, selection: number, event: JudgedEvent): Group {
  const reader = groupReaders[selection] as GroupReader;
  const key = reader.keyOf(event);
  const group = groups.get(key) ?? createGroup(key, reader.valuesOf(event));
  groups.delete(group.key);
  groups.set(group.key, group);
  return group;
}

/** Returns the cost of a group, in entries. */
export function weigh({ entries, sequences, episodes }: Group): number {
  let weight = 1 + entries.length + sequences.length / 2;
  for (const { values } of episodes) weight += 8 + values.size;
  return weight;
}

function forgetOldest(state: RuleState, keep: Group): void {
  while (state.groups.size > MAX_GROUPS || state.entries > MAX_ENTRIES) if (!forgetGroup(state, keep)) return;
}

/** Removes the least recently used group other than `keep`. Returns false if none exists. */
export function forgetGroup(state: RuleState, keep?: Group): boolean {
  const [oldest] = state.groups.values();
  if (oldest === undefined || oldest === keep) return false;
  state.groups.delete(oldest.key);
  state.entries -= weigh(oldest);
  return true;
}
