import { findCampaigns, fleetThresholds } from '#analytics/detections/fleet/find-campaigns.ts';
import { createFleetGroups } from '#analytics/detections/fleet/fleet-groups.ts';
import { fleetPlaceOf } from '#analytics/detections/fleet/fleet-place.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** How far the attack had come with an event. */
interface Progress {
  readonly seconds: number;
  readonly crashes: number;
}

/** A campaign over several hosts of a capture, with the progress of the attack when the rule first fired. */
interface FoundCampaign extends Progress {
  readonly detection: Detection;
}

/** Watches a capture for scans that are spread over hosts. */
export interface FleetWatch {
  feed(accepted: AcceptedEvent, progress: Progress): void;
  campaigns(): FoundCampaign[];
}

/** A watch that has seen nothing yet. It judges at the end, and then searches for the crash with which each campaign was found. */
export function watchFleet(settings: DetectionSettings): FleetWatch {
  const seen: { readonly accepted: AcceptedEvent; readonly progress: Progress }[] = [];

  function judge(count: number): Detection[] {
    const groups = createFleetGroups(fleetThresholds(settings).thresholds.quiet);
    for (const { accepted } of seen.slice(0, count)) groups.feed(accepted);
    return findCampaigns(groups.groups(), settings);
  }

  /** What fired stays found, so the number of crashes is searched by halves. */
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
