/**
 * When a lane writes its tracker down: often enough that a restart has few events to feed again, seldom enough that the
 * writing is not felt. Neither changes an answer, so the clock may decide. The first comes at once: it carries the settings events were judged by.
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
