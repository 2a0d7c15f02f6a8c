import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { findCampaigns, fleetThresholds } from './fleet/find-campaigns.ts';
import { createFleetGroups } from './fleet/fleet-groups.ts';
import type { DetectionSettings } from './settings.ts';
import { createDetectionTracker } from './user-rules/detection-tracker.ts';

/** Events between two drains. Each drain keeps only the latest revision of a detection, which bounds the memory. */
const DRAIN_EVERY = 4096;

/** Analyses a finite sequence of events, which the caller feeds one by one. */
export interface Analysis {
  feed(accepted: AcceptedEvent): void;
  /**
   * Returns each detection in its final revision, in the order in which they opened. Campaigns over several hosts come
   * last.
   */
  detections(): Detection[];
}

/** Creates an analysis with these settings and empty state. */
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

/**
 * Returns the detections of a finite sequence of events, each in its final revision, in the order in which they opened.
 * Campaigns over several hosts come last.
 */
export function analyzeEvents(events: Iterable<AcceptedEvent>, settings: DetectionSettings): Detection[] {
  const analysis = createAnalysis(settings);
  for (const event of events) analysis.feed(event);
  return analysis.detections();
}
