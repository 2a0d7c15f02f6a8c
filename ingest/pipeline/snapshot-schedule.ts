/**
 * When a lane writes its tracker down: often enough that a restart has few events to feed again, seldom enough that the
 * writing is not felt. Neither changes an answer, so the clock may decide.
 */
export interface SnapshotSchedule {
  startFrom(replayed: number): void;
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
  return {
    startFrom(replayed) {
      events = replayed;
      lastAt = nowMs();
    },
    count(more) {
      events += more;
    },
    isDue: () => events >= limits.snapshotEvents || (events > 0 && nowMs() - lastAt >= limits.snapshotMs),
    taken() {
      events = 0;
      lastAt = nowMs();
    },
  };
}
