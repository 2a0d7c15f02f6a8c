import type { LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import { decodeRecord } from './decode.ts';
import { adoptSettings, type JudgingState, type LaneRules, restoreLane, snapshotLane } from './lane-settings.ts';
import { createRecentIds } from './recent-ids.ts';
import type { LaneState } from './record-steps.ts';
import { createValidateStep } from './validate.ts';

export interface OpenedLane extends LaneState {
  /** Events the tracker had to be fed again. */
  readonly replayed: number;
  /** Programs that its tracker had forgotten before: they do not count as evictions of this process. */
  readonly evictedBefore: number;
  /** Whether a snapshot was ignored because another version wrote it. */
  readonly snapshotRefused: boolean;
}

const RECENT_IDS = 50_000;

/**
 * Events that a lane without a usable snapshot feeds to its tracker at most, the newest ones: more would take minutes. A new lane has fewer. A lane has more only
 * after an upgrade that changed the form of snapshots. Counted in offsets, because neither the clock nor the time of an event shows which events the rules
 * have seen.
 */
const MAX_FED_AGAIN = 1_000_000;

/**
 * Reads from ClickHouse where a lane stands and rebuilds its tracker: the newest snapshot, then every landed event after it,
 * through the same steps that took them in the first time. What the tracker derives from them is discarded: it has landed already, because
 * detections land before the events they follow from. These events are judged by the settings of the snapshot, later ones by those that apply
 * now: see `lane-settings.ts`.
 */
export async function openLane(store: LandingStore, lane: Lane, rules: LaneRules): Promise<OpenedLane> {
  const marks = await store.marks(lane);
  const settings = rules.settings();
  const newState = (): JudgingState => ({ tracker: rules.createTracker(settings), settings });
  let state = newState();
  let after = -1;
  let snapshotRefused = false;

  const snapshot = marks.events >= 0 ? await store.latestSnapshot(lane, marks.events) : undefined;
  if (snapshot !== undefined) {
    try {
      state = restoreLane(snapshot.chunks, rules, settings);
      after = snapshot.offset;
    } catch {
      // Another version wrote it: rebuild the state from the events.
      state = newState();
      snapshotRefused = true;
    }
  }
  if (after === -1) after = Math.max(-1, marks.events - MAX_FED_AGAIN);

  let replayed = 0;
  if (marks.events > after) {
    for await (const texts of store.replay(lane, after, marks.events)) {
      for (const text of texts) {
        feedAgain(state.tracker, text);
        replayed++;
      }
    }
  }
  state.tracker.drain();
  const changed = adoptSettings(state, rules);
  // Without a snapshot the next start would judge these events by the settings that apply then.
  const unsaved = changed ?? (snapshot === undefined || snapshotRefused ? snapshotLane(state) : undefined);
  if (unsaved !== undefined && marks.events >= 0) await store.saveSnapshot(lane, marks.events, unsaved);
  return {
    lane,
    ...state,
    marks: { ...marks },
    position: marks.events,
    recentIds: createRecentIds(RECENT_IDS),
    landedIds: new Set(),
    askedAhead: new Set(),
    replayed,
    evictedBefore: state.tracker.stats().evictions,
    snapshotRefused,
  };
}

/** Accepts either dialect: these events were accepted when they landed. */
const AS_LANDED = createValidateStep({ signalDialect: 'short' });
const NO_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER };

function feedAgain(tracker: Tracker, raw: Buffer): void {
  const decoded = decodeRecord(raw, NO_LIMITS);
  if (!decoded.ok) return;
  const accepted = AS_LANDED(decoded.payload);
  if (accepted.ok) tracker.feed(accepted);
}
