import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';

/*
 * Settings of the rules can change while a lane runs. A restart must derive the same detections, so it judges stored events by the settings by which
 * they were judged the first time:
 *
 *   - a lane adopts new settings between two batches, never within one;
 *   - a snapshot holds the settings that apply to the events after it;
 *   - when settings change, the lane saves a snapshot with the new ones before anything that was judged by them lands;
 *   - a lane without a snapshot makes one when it is opened, or with its first events.
 *
 * Hence everything that landed after the newest snapshot was judged by the settings in it. The id of a detection follows from its first evidence, so a
 * change of settings changes no id: it decides which detections open and grow from then on.
 */

/** How a lane comes to its trackers. */
export interface LaneRules {
  readonly createTracker: (settings: DetectionSettings) => Tracker;
  /** The settings that apply now: the same object until they change. */
  readonly settings: () => DetectionSettings;
}

/** A tracker and the settings by which it judges. */
export interface JudgingState {
  tracker: Tracker;
  settings: DetectionSettings;
}

const HEADER = 'trapline-rule-settings ';

/** Returns the texts of a snapshot: the settings, then the state of the tracker. */
export function snapshotLane({ tracker, settings }: JudgingState): string[] {
  return [HEADER + JSON.stringify(settings), ...tracker.snapshot()];
}

/** Restores a snapshot. `otherwise`: settings in place of those of a snapshot that has none, or has invalid ones. Throws what `Tracker.restore` throws. */
export function restoreLane(chunks: readonly string[], rules: LaneRules, otherwise: DetectionSettings): JudgingState {
  const [first = '', ...rest] = chunks;
  const known = first.startsWith(HEADER);
  const settings = (known ? readSettings(first.slice(HEADER.length)) : undefined) ?? otherwise;
  const tracker = rules.createTracker(settings);
  tracker.restore(known ? rest : chunks);
  return { tracker, settings };
}

/**
 * Adopts the settings that apply now. Returns the snapshot that must be saved when they differ from the present ones; otherwise undefined. The results of
 * the tracker must be drained before.
 */
export function adoptSettings(state: JudgingState, rules: LaneRules): readonly string[] | undefined {
  const settings = rules.settings();
  if (settings === state.settings) return undefined;
  if (JSON.stringify(settings) === JSON.stringify(state.settings)) {
    state.settings = settings;
    return undefined;
  }
  const chunks = state.tracker.snapshot();
  const tracker = rules.createTracker(settings);
  tracker.restore(chunks);
  state.tracker = tracker;
  state.settings = settings;
  return snapshotLane(state);
}

function readSettings(text: string): DetectionSettings | undefined {
  const parsed = detectionSettingsSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
