import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { detectionRow } from '#analytics/clickhouse/detection-rows.ts';
import { exceededLimit } from '#analytics/clickhouse/failure.ts';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { changedBinaries, crashesOfBinary, type FleetBinary } from '#analytics/clickhouse/read-models/fleet-crashes.ts';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import { detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { findCampaigns, fleetThresholds } from '#analytics/detections/fleet/find-campaigns.ts';
import { createFleetGroups, type FleetGroup } from '#analytics/detections/fleet/fleet-groups.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Detection } from '#schemas/detection.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { afterPeriod, afterTooLarge, FIRST_POSITION, nextPeriod, type PollPeriod, pollSince } from './poll-position.ts';

/** Judges the stored crashes of all hosts together. Returns the number of campaigns written. */
export type PoolFleet = () => Promise<number>;

/** Result of the previous poll for one binary in one window. */
interface Judged {
  readonly crashes: string;
  /** Revisions by detection id. */
  readonly revisions: ReadonlyMap<string, number>;
}

/**
 * Applies the fleet rule to stored events. No tracker sees all hosts, because they are spread over partitions and
 * processes.
 *
 * Idempotent: campaigns are a pure function of the stored events, so polls may fail halfway, repeat, or run
 * concurrently in several processes. A query that exceeds a limit of ClickHouse is split into shorter periods. Judged
 * periods are not judged again; the next poll continues after them.
 */
export function createPoolFleet({
  clickhouse,
  settings,
}: {
  readonly clickhouse: ClickHouse;
  readonly settings: () => Promise<DetectionSettings>;
}): PoolFleet {
  let position = FIRST_POSITION;
  let judged = new Map<string, Judged>();

  return async () => {
    const current = await settings();
    if (!fleetThresholds(current).enabled) return 0;
    // The clock of ClickHouse: if the clock of this process were ahead, the poll would skip events that are received
    // until then.
    const nowMs = await serverClock(clickhouse);
    const now = new Map<string, Judged>();
    let written = 0;
    let sinceMs = pollSince(position, nowMs);
    for (;;) {
      const period = nextPeriod(position, sinceMs, nowMs);
      if (period === undefined) break;
      try {
        written += await judge(period, current, nowMs, now);
      } catch (error) {
        const shorter = exceededLimit(error) === undefined ? undefined : afterTooLarge(position);
        if (shorter === undefined) throw error;
        position = shorter;
        continue;
      }
      sinceMs = period.untilMs ?? nowMs;
      position = afterPeriod(position, sinceMs);
    }
    judged = now;
    return written;
  };

  /** Judges the events received in the period, and adds the results to `now`. Returns the number of campaigns written. */
  async function judge(
    period: PollPeriod,
    current: DetectionSettings,
    nowMs: number,
    now: Map<string, Judged>,
  ): Promise<number> {
    const { severity, thresholds } = fleetThresholds(current);
    const { quiet: windowSeconds, minHosts, minPlaces, minRun } = thresholds;
    const least = { windowSeconds, minHosts, minPlaces: Math.min(minPlaces, minRun) };
    const fresh: Detection[] = [];
    const found = new Map<string, Judged>();
    for (const binary of await changedBinaries(clickhouse, period, least)) {
      const { file, vmasize, window, crashes } = binary;
      const key = JSON.stringify([file, vmasize, window, severity, thresholds]);
      const before = now.get(key) ?? judged.get(key);
      if (before?.crashes === crashes) {
        found.set(key, before);
        continue;
      }
      const campaigns = findCampaigns(await groupsOf(clickhouse, binary, windowSeconds), current);
      fresh.push(...campaigns.filter(({ id, revision }) => revision > (before?.revisions.get(id) ?? 0)));
      found.set(key, { crashes, revisions: new Map(campaigns.map(({ id, revision }) => [id, revision])) });
    }
    const rows = fresh.map((detection) => detectionRow(detection, nowMs));
    await insertRows(clickhouse, detectionRecordsTable, rows);
    // Only after the insert succeeded, so that a failed insert is repeated.
    for (const [key, one] of found) now.set(key, one);
    return fresh.length;
  }
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
