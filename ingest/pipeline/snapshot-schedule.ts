/**
 * Decides when a lane saves a snapshot of its tracker: often enough that a restart replays few events, seldom enough that it costs little. Snapshots change no
 * detection, so the clock may decide. The first is due at once, because it holds the settings by which the events were judged.
 */
export interface SnapshotSchedule {
  /** `none`: the lane has no snapshot yet, so its first events bring one. */
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
