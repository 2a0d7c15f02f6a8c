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
  /** Programs its tracker had forgotten before: no news of this process. */
  readonly evictedBefore: number;
  /** Whether a snapshot of another version had to be left aside. */
  readonly snapshotRefused: boolean;
}

const RECENT_IDS = 50_000;

/**
 * A lane without a usable snapshot is young, so all of it is fed again. Only after an upgrade that changed the state's form can there be
 * more; then the newest of it have to do, or a start would take minutes. Counted in offsets, not in time: neither the clock nor an
 * event's own timestamp says what the rules have seen.
 */
const MAX_FED_AGAIN = 1_000_000;

/**
 * Reads from ClickHouse where a lane stands and rebuilds its tracker: the newest snapshot, then every landed event after it,
 * through the same steps that took them in the first time. Results that the tracker derives from them have landed already
 * (detections land before the events they follow from) and is thrown away. What is fed again is judged by the settings of the snapshot, what
 * comes then by those that hold now: see `lane-settings.ts`.
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
      // Written by another version of the state: the events themselves are the truth, so start from them.
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
  // Without one of its own, what has landed would be judged by whatever holds at the next start.
  const unsaved = changed ?? (snapshot === undefined || snapshotRefused ? snapshotLane(state) : undefined);
  if (unsaved !== undefined && marks.events >= 0) await store.saveSnapshot(lane, marks.events, unsaved);
  return {
    lane,
    ...state,
    marks: { ...marks },
    position: marks.events,
    recentIds: createRecentIds(RECENT_IDS),
    landedIds: new Set(),
    replayed,
    evictedBefore: state.tracker.stats().evictions,
    snapshotRefused,
  };
}

/** Whatever dialect it came in: what has landed was accepted then, and counts. */
const AS_LANDED = createValidateStep({ signalDialect: 'short' });
const NO_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER };

function feedAgain(tracker: Tracker, raw: Buffer): void {
  const decoded = decodeRecord(raw, NO_LIMITS);
  if (!decoded.ok) return;
  const accepted = AS_LANDED(decoded.payload);
  if (accepted.ok) tracker.feed(accepted);
}
