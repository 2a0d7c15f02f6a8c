import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';

/*
 * Settings of the rules can change while a lane runs. After a restart the lane must derive the same detections, so
 * stored events are judged again with their original settings:
 *
 *   - A lane adopts new settings between two batches, never within one.
 *   - A snapshot holds the settings for the events after it.
 *   - When settings change, the lane saves a snapshot with the new settings before the first events judged by them.
 *   - A lane without a snapshot saves one when it is opened, or with its first events.
 *
 * Hence all events after the newest snapshot were judged with the settings in it. The id of a detection depends only on
 * its first evidence. A change of settings therefore changes no id; it affects which detections open and grow from then
 * on.
 */

/** How a lane creates its trackers. */
export interface LaneRules {
  readonly createTracker: (settings: DetectionSettings) => Tracker;
  /** Returns the current settings: the same object until they change. */
  readonly settings: () => DetectionSettings;
}

/** A tracker and the settings it uses. */
export interface JudgingState {
  tracker: Tracker;
  settings: DetectionSettings;
}

const HEADER = 'trapline-rule-settings ';

/** Returns the strings of a snapshot: the settings, then the state of the tracker. */
export function snapshotLane({ tracker, settings }: JudgingState): string[] {
  return [HEADER + JSON.stringify(settings), ...tracker.snapshot()];
}

/**
 * Restores a snapshot. `otherwise` is used if the snapshot has no settings, or invalid ones. Throws the errors of
 * `Tracker.restore`.
 */
export function restoreLane(chunks: readonly string[], rules: LaneRules, otherwise: DetectionSettings): JudgingState {
  const [first = '', ...rest] = chunks;
  const known = first.startsWith(HEADER);
  const settings = (known ? readSettings(first.slice(HEADER.length)) : undefined) ?? otherwise;
  const tracker = rules.createTracker(settings);
  tracker.restore(known ? rest : chunks);
  return { tracker, settings };
}

/**
 * Adopts the current settings. If they have changed, returns the snapshot that must be saved, otherwise undefined.
 * Precondition: the results of the tracker have been drained.
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
