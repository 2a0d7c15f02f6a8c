import { findCampaigns, fleetThresholds } from '#analytics/detections/fleet/find-campaigns.ts';
import { createFleetGroups } from '#analytics/detections/fleet/fleet-groups.ts';
import { fleetPlaceOf } from '#analytics/detections/fleet/fleet-place.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** Progress of the attack at an event. */
interface Progress {
  readonly seconds: number;
  readonly crashes: number;
}

/** A campaign over several hosts, with the progress of the attack when the rule first fired. */
interface FoundCampaign extends Progress {
  readonly detection: Detection;
}

/** Detects scans that are spread over hosts in a capture. */
export interface FleetWatch {
  feed(accepted: AcceptedEvent, progress: Progress): void;
  campaigns(): FoundCampaign[];
}

/**
 * Creates an empty watch. It evaluates at the end, then searches for the crash at which each campaign was first
 * detected.
 */
export function watchFleet(settings: DetectionSettings): FleetWatch {
  const seen: { readonly accepted: AcceptedEvent; readonly progress: Progress }[] = [];

  function judge(count: number): Detection[] {
    const groups = createFleetGroups(fleetThresholds(settings).thresholds.quiet);
    for (const { accepted } of seen.slice(0, count)) groups.feed(accepted);
    return findCampaigns(groups.groups(), settings);
  }

  /** Binary search for the number of crashes, because a campaign stays detected once it fired. */
  function crashesNeeded(id: string): number {
    let [tooFew, enough] = [0, seen.length];
    while (enough - tooFew > 1) {
      const middle = Math.floor((tooFew + enough) / 2);
      if (judge(middle).some((detection) => detection.id === id)) enough = middle;
      else tooFew = middle;
    }
    return enough;
  }

  return {
    feed(accepted, progress) {
      if (fleetPlaceOf(accepted) !== undefined) seen.push({ accepted, progress });
    },
    campaigns: () =>
      judge(seen.length).map((detection) => {
        const at = seen[crashesNeeded(detection.id) - 1]?.progress ?? { seconds: 0, crashes: 0 };
        return { detection, seconds: at.seconds, crashes: at.crashes };
      }),
  };
}
