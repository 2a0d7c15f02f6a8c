import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { findCampaigns, fleetThresholds } from './fleet/find-campaigns.ts';
import { createFleetGroups } from './fleet/fleet-groups.ts';
import type { DetectionSettings } from './settings.ts';
import { createDetectionTracker } from './user-rules/detection-tracker.ts';

/** Drained so often, so that the memory of a long file's detections is that of their latest revisions. */
const DRAIN_EVERY = 4096;

/** An analysis of a finished stretch of events that is fed as it is read. */
export interface Analysis {
  feed(accepted: AcceptedEvent): void;
  /** Each detection in its final revision, in the order in which they opened; campaigns over several hosts last. */
  detections(): Detection[];
}

/** An analysis under these settings that has seen nothing yet. */
export function createAnalysis(settings: DetectionSettings): Analysis {
  const tracker = createDetectionTracker(settings);
  const fleet = createFleetGroups(fleetThresholds(settings).thresholds.quiet);
  const latest = new Map<string, Detection>();
  let fed = 0;

  function collect(): void {
    for (const detection of tracker.drain().changed) latest.set(detection.id, detection);
  }

  return {
    feed(accepted) {
      tracker.feed(accepted);
      fleet.feed(accepted);
      fed += 1;
      if (fed % DRAIN_EVERY === 0) collect();
    },
    detections() {
      collect();
      return [...latest.values(), ...findCampaigns(fleet.groups(), settings)];
    },
  };
}

/** The detections of a finished stretch of events, each in its final revision, in the order in which they opened; campaigns over several hosts last. */
export function analyzeEvents(events: Iterable<AcceptedEvent>, settings: DetectionSettings): Detection[] {
  const analysis = createAnalysis(settings);
  for (const event of events) analysis.feed(event);
  return analysis.detections();
}
