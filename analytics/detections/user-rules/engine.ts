import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { Episode } from '../episode.ts';
import { exceptionSubject } from '../episode-object.ts';
import { createExceptionFinder } from '../exception.ts';
import { createOutbox } from '../outbox.ts';
import type { DetectionSettings } from '../settings.ts';
import { createSeenLines } from '../state/seen-lines.ts';
import { textNumber } from '../state/text-number.ts';
import type { TrackerOutput } from '../tracker-port.ts';
import { type EngineState, readEngineState, writeEngineState } from './engine-snapshot.ts';
import { type JudgedEvent, judgedEvent } from './event-fields.ts';
import type { GroupReader } from './group.ts';
import { MAX_ENTRIES_OF_ALL } from './limits.ts';
import { type ReadRule, readRule } from './read-rule.ts';
import { createRuleState, feedSelection, forgetGroup, type RuleState } from './rule-state.ts';
import { viewUserDetection } from './user-detection.ts';

/** Runs user rules over events. A pure function of the events, like the tracker of the built-in rules. */
export interface UserRuleEngine {
  feed(accepted: AcceptedEvent): void;
  /** Like `feed`, for an event of which only the fields are known. */
  judge(event: JudgedEvent, time: Instant): void;
  hasAnnouncements(): boolean;
  drain(): TrackerOutput;
  /** Returns the whole state as text. */
  snapshot(): string;
  /** Restores a state. Rules that are no longer enabled or have changed start with an empty state. */
  restore(text: string): void;
  openEpisodes(): number;
}

/**
 * Creates the engine of these rules; undefined if none is enabled. Skips rules that this version rejects. Long: its
 * functions share the state of one lane.
 */
export function createUserRules(
  settings: Pick<DetectionSettings, 'userRules' | 'exceptions'>,
): UserRuleEngine | undefined {
  const readers = new Map<string, GroupReader>();
  const states = settings.userRules.flatMap(({ source, version }): RuleState[] => {
    const read = readOnce(source);
    return read.ok ? [createRuleState(read.rule, version, readers)] : [];
  });
  if (states.length === 0) return undefined;
  const byId = new Map(states.map((state) => [state.rule.id, state]));
  const findException = createExceptionFinder(settings.exceptions);
  const outbox = createOutbox(
    (episode) => view(episode),
    (episode) => findException(exceptionSubject(episode)) !== null,
  );
  const seen = createSeenLines();
  const engine: EngineState = { states, byId, pending: outbox.pending, seen, sequence: 0 };

  function view(episode: Episode): Detection {
    const state = byId.get(episode.rule);
    if (state === undefined) throw new RangeError(`there is no rule ${episode.rule}`);
    return viewUserDetection(episode, state, findException);
  }

  function judge(event: JudgedEvent, time: Instant): void {
    if (seen.isRepeat(lineOf(event, time))) return;
    engine.sequence += 1;
    for (const state of states) {
      const candidates = state.byType.get(event.columns.type);
      if (candidates === undefined) continue;
      let grown: Episode | undefined;
      for (const selection of candidates) {
        if (!(state.matches[selection] as (event: JudgedEvent) => boolean)(event)) continue;
        grown = feedSelection(state, selection, { event, time, sequence: engine.sequence }) ?? grown;
        // If the rule counts events, an event that several selections match counts once.
        if (!state.isTemporal) break;
      }
      if (grown !== undefined) outbox.revised(grown, time, engine.sequence);
    }
    forgetOverBound();
  }

  /** Evicts groups while the total is over the limit, from the rule with the most entries first. */
  function forgetOverBound(): void {
    let all = 0;
    for (const { entries } of states) all += entries;
    while (all > MAX_ENTRIES_OF_ALL) {
      const largest = states.reduce((a, b) => (b.entries > a.entries ? b : a));
      const before = largest.entries;
      if (!forgetGroup(largest)) return;
      all -= before - largest.entries;
    }
  }

  return {
    feed({ event, time }) {
      const body = event.event;
      if (body.type === 'RegisterProbe') return;
      judge(judgedEvent(event.hostname ?? null, body), time);
    },
    judge,
    hasAnnouncements: outbox.hasAnnouncements,
    drain: outbox.drain,
    snapshot: () => writeEngineState(engine),
    restore: (text) => readEngineState(text, engine),
    openEpisodes() {
      let open = 0;
      for (const { groups } of states) for (const { episodes } of groups.values()) open += episodes.length;
      return open;
    },
  };
}

const MAX_READ = 256;
const alreadyRead = new Map<string, ReadRule>();

/** Parses a rule once for all lanes and settings of a process. */
function readOnce(source: string): ReadRule {
  const known = alreadyRead.get(source) ?? readRule(source);
  alreadyRead.delete(source);
  alreadyRead.set(source, known);
  const [oldest] = alreadyRead.keys();
  if (alreadyRead.size > MAX_READ && oldest !== undefined) alreadyRead.delete(oldest);
  return known;
}

const KINDS: Readonly<Record<string, number>> = {
  LinuxKernelTrap: 0,
  LinuxFatalSignal: 1,
  LinuxSuppressedCallback: 2,
  ConfigMismatch: 3,
};

/** Returns the fields that identify a repeated delivery of the same event. */
function lineOf({ hostname, columns }: JudgedEvent, { seconds, nanos }: Instant) {
  const { type, pid, ip, count } = columns;
  const isCrash = type === 'LinuxKernelTrap' || type === 'LinuxFatalSignal';
  return {
    host: textNumber(hostname ?? ''),
    seconds,
    nanos,
    pid: isCrash ? (pid === null ? Number.NaN : Number(pid)) : Number(count ?? textNumber(columns.key ?? '')),
    pointer: isCrash ? Number(ip ?? 0) : textNumber(columns.function_name ?? columns.observed_value ?? ''),
    kind: KINDS[type] ?? 4,
  };
}
