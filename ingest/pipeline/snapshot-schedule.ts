/**
 * Decides when a lane saves a snapshot of its tracker. Frequent snapshots shorten the replay after a restart, but cost
 * more. Snapshots do not change detections, so the clock may decide. The first one is due immediately, because it holds
 * the settings with which the events were judged.
 */
export interface SnapshotSchedule {
  /** `none`: the lane has no snapshot yet, so one is due with its first events. */
  startFrom(replayed: number, none: boolean): void;
  count(events: number): void;
  isDue(): boolean;
  taken(): void;
}

export function createSnapshotSchedule(
  limits: { readonly snapshotEvents: number; readonly snapshotMs: number },
  nowMs: () => number,
): SnapshotSchedule {
  let events = 0;
  let lastAt = nowMs();
  let first = false;
  return {
    startFrom(replayed, none) {
      events = replayed;
      first = none;
      lastAt = nowMs();
    },
    count(more) {
      events += more;
    },
    isDue: () => events >= limits.snapshotEvents || (events > 0 && (first || nowMs() - lastAt >= limits.snapshotMs)),
    taken() {
      events = 0;
      first = false;
      lastAt = nowMs();
    },
  };
}
