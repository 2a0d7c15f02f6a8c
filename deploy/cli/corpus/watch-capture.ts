import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { Alert } from './alert.ts';
import { createAttackClock } from './attack-clock.ts';
import type { Truth } from './truth.ts';
import { watchFleet } from './watch-fleet.ts';

/** A detector that processes one capture. */
export interface CaptureWatch {
  feed(accepted: AcceptedEvent): void;
  /**
   * Returns each detection once, in the order of opening. Campaigns over several hosts are last. Detections that an
   * exception silences are omitted.
   */
  alerts(): readonly Alert[];
}

/**
 * Creates a detector with the rules of the product. It drains the tracker after every event, so the time of each alert
 * is exact.
 */
export function watchCapture(truth: Truth, settings: DetectionSettings): CaptureWatch {
  const tracker = createTracker(settings);
  const fleet = watchFleet(settings);
  const clock = createAttackClock(truth);
  const opened = new Map<string, { detection: Detection; seconds: number; crashes: number }>();
  return {
    feed(accepted) {
      clock.take(accepted);
      tracker.feed(accepted);
      fleet.feed(accepted, { seconds: clock.seconds(), crashes: clock.crashes() });
      for (const detection of tracker.drain().changed) {
        const before = opened.get(detection.id) ?? { seconds: clock.seconds(), crashes: clock.crashes() };
        opened.set(detection.id, { ...before, detection });
      }
    },
    alerts: () =>
      [...opened.values(), ...fleet.campaigns()].flatMap(
        ({ detection: { rule, severity, procname, exception }, ...at }) =>
          exception === null ? [{ rule: rule.id, severity, procname, ...at }] : [],
      ),
  };
}
