import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { detectionRow } from '#analytics/clickhouse/detection-rows.ts';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { changedBinaries, crashesOfBinary, type FleetBinary } from '#analytics/clickhouse/read-models/fleet-crashes.ts';
import { detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { findCampaigns, fleetThresholds } from '#analytics/detections/fleet/find-campaigns.ts';
import { createFleetGroups, type FleetGroup } from '#analytics/detections/fleet/fleet-groups.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Detection } from '#schemas/detection.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';

/** Each poll repeats this much of the previous one: inserts become visible late, and clocks of processes differ. */
const OVERLAP_MS = 600_000;
/** The first poll of a process looks back this far, for what was received while no worker ran. */
const FIRST_LOOK_MS = 7 * 86_400_000;

/** Judges stored crashes of all hosts together. Returns the number of campaigns that were written. */
export type PoolFleet = (nowMs: number) => Promise<number>;

/** What the poll before found of one binary in one window. */
interface Judged {
  readonly crashes: string;
  /** Revisions by detection. */
  readonly revisions: ReadonlyMap<string, number>;
}

/**
 * The fleet rule over stored events: hosts lie in different partitions and processes, so no tracker sees them all. Campaigns are a pure function of
 * the stored events. A poll that fails halfway, repeats or runs at the same time as another process's poll changes nothing.
 */
export function createPoolFleet({
  clickhouse,
  settings,
}: {
  readonly clickhouse: ClickHouse;
  readonly settings: () => Promise<DetectionSettings>;
}): PoolFleet {
  let polledMs: number | undefined;
  let judged = new Map<string, Judged>();

  return async (nowMs) => {
    const current = await settings();
    const { enabled, severity, thresholds } = fleetThresholds(current);
    if (!enabled) return 0;
    const sinceMs = polledMs === undefined ? nowMs - FIRST_LOOK_MS : polledMs - OVERLAP_MS;
    const { quiet: windowSeconds, minHosts, minPlaces, minRun } = thresholds;
    const least = { windowSeconds, minHosts, minPlaces: Math.min(minPlaces, minRun) };
    const now = new Map<string, Judged>();
    const fresh: Detection[] = [];
    for (const binary of await changedBinaries(clickhouse, sinceMs, least)) {
      const { file, vmasize, window, crashes } = binary;
      const key = JSON.stringify([file, vmasize, window, severity, thresholds]);
      const before = judged.get(key);
      if (before?.crashes === crashes) {
        now.set(key, before);
        continue;
      }
      const campaigns = findCampaigns(await groupsOf(clickhouse, binary, windowSeconds), current);
      fresh.push(...campaigns.filter(({ id, revision }) => revision > (before?.revisions.get(id) ?? 0)));
      now.set(key, { crashes, revisions: new Map(campaigns.map(({ id, revision }) => [id, revision])) });
    }
    const rows = fresh.map((detection) => detectionRow(detection, nowMs));
    await insertRows(clickhouse, detectionRecordsTable, rows);
    judged = now;
    polledMs = nowMs;
    return fresh.length;
  };
}

async function groupsOf(
  clickhouse: ClickHouse,
  binary: FleetBinary,
  windowSeconds: number,
): Promise<Iterable<FleetGroup>> {
  const groups = createFleetGroups(windowSeconds);
  for (const text of await crashesOfBinary(clickhouse, binary, windowSeconds)) {
    const event = parseExact(text) as InternalEvent;
    const time = readTimestamp(event.timestamp);
    if (typeof time !== 'string') groups.feed({ ok: true, event, time });
  }
  return groups.groups();
}
