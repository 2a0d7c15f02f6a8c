import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { landedSince } from '#analytics/clickhouse/read-models/landed-detections.ts';
import type { Detection } from '#schemas/detection.ts';

/** Position of a reader of stored detections. JSON. */
export interface TailState {
  /** Start time of this reader, epoch milliseconds. Earlier detections are not delivered. */
  readonly beganMs: number;
  /** Everything written before this time has been delivered. Epoch milliseconds by the clock of ClickHouse. */
  readonly toldMs: number;
  /** The last delivered revision of recently written detections, and its delivery time. */
  readonly recent: Readonly<Record<string, readonly [revision: number, atMs: number]>>;
}

export interface TailOptions {
  /** Minimum time before a growing detection is delivered again, ms. */
  readonly againMs: number;
  /** Maximum number of detections per call. Default 500. */
  readonly most?: number;
}

/**
 * A revision becomes visible after its insert. This is the limit for slow inserts and for clock differences between
 * servers.
 */
const OVERLAP_MS = 600_000;

/** Returns the state of a reader that begins now, by the clock of ClickHouse. */
export function tailFrom(nowMs: number): TailState {
  return { beganMs: nowMs, toldMs: nowMs, recent: {} };
}

/**
 * Returns detections that are new or grew since `state`, oldest first, each in its latest revision, and the state after
 * their delivery. Store the new state only after the delivery; with the old state the same detections are returned
 * again. `more`: call again immediately.
 *
 * The position is a time of the ClickHouse clock, so a clock change of this process loses nothing. Processes of version
 * 0.2.0 with a wrong clock could store a future position. It is reset to the present.
 */
export async function readTail(
  clickhouse: ClickHouse,
  state: TailState,
  { againMs, most = 500 }: TailOptions,
): Promise<{ readonly detections: readonly Detection[]; readonly state: TailState; readonly more: boolean }> {
  const since = Math.max(state.beganMs, state.toldMs - OVERLAP_MS);
  const { revisions: landed, nowMs } = await landedSince(clickhouse, since);
  if (since > nowMs) {
    const present = { beganMs: Math.min(state.beganMs, nowMs), toldMs: nowMs, recent: state.recent };
    return { detections: [], state: present, more: true };
  }
  const fresh = landed.filter(({ id, revision }) => {
    const delivered = state.recent[id];
    return delivered === undefined || (revision > delivered[0] && nowMs - delivered[1] >= againMs);
  });
  const due = fresh.slice(0, most);
  const byId = new Map(
    (
      await getDetections(
        clickhouse,
        due.map(({ id }) => id),
      )
    ).map((d) => [d.id, d]),
  );
  // Omits silenced detections, including those written before the exception was created.
  const detections = due.flatMap(({ id }) => byId.get(id) ?? []).filter(({ exception }) => exception === null);
  const recent: Record<string, readonly [number, number]> = {};
  for (const { id } of landed) {
    const delivered = state.recent[id];
    if (delivered !== undefined) recent[id] = delivered;
  }
  for (const { id, revision } of due) recent[id] = [byId.get(id)?.revision ?? revision, nowMs];
  const more = fresh.length > due.length;
  return {
    detections,
    state: { beganMs: state.beganMs, toldMs: more ? state.toldMs : Math.max(state.toldMs, nowMs), recent },
    more,
  };
}
