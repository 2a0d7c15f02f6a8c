import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { landedSince } from '#analytics/clickhouse/read-models/landed-detections.ts';
import type { Detection } from '#schemas/detection.ts';

/** How far a reader of landed detections has come. JSON. */
export interface TailState {
  /** When this reader began: earlier detections are not part of its tail. Epoch milliseconds. */
  readonly beganMs: number;
  /** Everything that was written before has been delivered. Epoch milliseconds of the clock of ClickHouse. */
  readonly toldMs: number;
  /** Of recently written detections: the last delivered revision, and when. */
  readonly recent: Readonly<Record<string, readonly [revision: number, atMs: number]>>;
}

export interface TailOptions {
  /** Minimum time before a growing detection is delivered again, ms. */
  readonly againMs: number;
  /** Detections in one go at most. Default 500. */
  readonly most?: number;
}

/** A revision shows up when its insert is done. Inserts may be slow, and the clocks of the servers apart, by so much. */
const OVERLAP_MS = 600_000;

/** For a reader that begins now, by the clock of ClickHouse. */
export function tailFrom(nowMs: number): TailState {
  return { beganMs: nowMs, toldMs: nowMs, recent: {} };
}

/**
 * Detections that are new since `state`, or grew, oldest first, each in its latest revision; and the state after their delivery. Delivered again
 * from an older state they come again: keep the new one when they are where they belong. `more`: ask again at once.
 * The position is a time of ClickHouse: the clock of this process may be set, and nothing is missed. A position in the future, which processes of version
 * 0.2.0 stored when their clock was wrong, is set back to the present.
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
  // One that was written before its exception was made is silent too.
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
