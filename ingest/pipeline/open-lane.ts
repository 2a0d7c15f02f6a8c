import type { LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import { decodeRecord } from './decode.ts';
import { adoptSettings, type JudgingState, type LaneRules, restoreLane, snapshotLane } from './lane-settings.ts';
import { createRecentIds } from './recent-ids.ts';
import type { LaneState } from './record-steps.ts';
import { createValidateStep } from './validate.ts';

export interface OpenedLane extends LaneState {
  /** Number of stored events that were fed to the tracker again. */
  readonly replayed: number;
  /** Programs that the restored tracker had already evicted. They do not count as evictions of this process. */
  readonly evictedBefore: number;
  /** True if a snapshot was ignored because another version wrote it. */
  readonly snapshotRefused: boolean;
}

const RECENT_IDS = 50_000;

/**
 * A lane without a usable snapshot feeds at most this many of its newest events to the tracker, because more would take
 * minutes. Only a lane after an upgrade that changed the snapshot format has more. Counted in offsets, because neither
 * the clock nor event times show which events the rules have seen.
 */
const MAX_FED_AGAIN = 1_000_000;

/**
 * Reads the marks of a lane from ClickHouse and rebuilds its tracker: the newest snapshot, then every event that landed
 * after it, through the normal steps. What the tracker derives from these events is discarded: it is stored already,
 * because detections land before their events. Replayed events are judged with the settings of the snapshot, later ones
 * with the current settings (see `lane-settings.ts`).
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
      // Another version wrote the snapshot. The state is rebuilt from the events.
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
  // Without a saved snapshot, the next start would judge these events with the settings of that time.
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

/** Accepts both dialects, because these events were accepted when they landed. */
const AS_LANDED = createValidateStep({ signalDialect: 'short' });
const NO_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER };

function feedAgain(tracker: Tracker, raw: Buffer): void {
  const decoded = decodeRecord(raw, NO_LIMITS);
  if (!decoded.ok) return;
  const accepted = AS_LANDED(decoded.payload);
  if (accepted.ok) tracker.feed(accepted);
}
