import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';

/*
 * Settings of the rules can change while a lane runs. So that a restart comes to the same detections, what has landed is fed again under
 * the settings it was judged by the first time:
 *
 *   - a lane goes over to new settings between two batches only, never within one;
 *   - a snapshot carries the settings that hold after it;
 *   - the state at a change is saved, with the new settings, before anything that was judged by them lands;
 *   - a lane without a snapshot makes one when it is opened, or with its first events.
 *
 * Hence everything that landed after the newest snapshot was judged by the settings in it. Ids follow from first evidence, so a change
 * changes no id; it only decides what opens and grows from then on.
 */

/** How a lane comes to its trackers. */
export interface LaneRules {
  readonly createTracker: (settings: DetectionSettings) => Tracker;
  /** Those that hold now: the same object for as long as nothing changed. */
  readonly settings: () => DetectionSettings;
}

/** A tracker and what it judges by. */
export interface JudgingState {
  tracker: Tracker;
  settings: DetectionSettings;
}

const HEADER = 'trapline-rule-settings ';

/** The state of the tracker with its settings, as it is saved. */
export function snapshotLane({ tracker, settings }: JudgingState): string[] {
  return [HEADER + JSON.stringify(settings), ...tracker.snapshot()];
}

/** The state as it was saved; by settings that are not known or not valid any more, those given. Throws what `Tracker.restore` throws. */
export function restoreLane(chunks: readonly string[], rules: LaneRules, otherwise: DetectionSettings): JudgingState {
  const [first = '', ...rest] = chunks;
  const known = first.startsWith(HEADER);
  const settings = (known ? readSettings(first.slice(HEADER.length)) : undefined) ?? otherwise;
  const tracker = rules.createTracker(settings);
  tracker.restore(known ? rest : chunks);
  return { tracker, settings };
}

/**
 * Goes over to the settings that hold now, if they are others; with the state from which the lane goes on under them, to be saved. What the
 * pending results of the tracker must be drained first.
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
