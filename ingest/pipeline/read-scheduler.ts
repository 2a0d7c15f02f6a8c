/*
 * Decides which partitions are read. Partitions near their end are read concurrently. Partitions far behind are read in
 * turns, one batch each: while one batch fills, the previous one lands. Read concurrently, they would fill the shared
 * memory at the same moment and then all wait for ClickHouse. Their blocks would also be smaller, by the number of
 * partitions.
 *
 *   reading ──far behind, and another has the turn──► waiting ──gets the turn──► reading ──batch complete──► waiting
 *   reading, waiting ──its lane is full──► paused as well ──the lane has room──► previous state
 */

/** The amount of records that was passed to a lane, and the state of the lane after that. */
export interface Delivered {
  readonly records: number;
  readonly bytes: number;
  /** True if the source has more unread records than one batch holds. */
  readonly behind: boolean;
  /** True if the lane accepts no more records for now. */
  readonly full: boolean;
}

export interface ReadScheduler {
  delivered(key: string, amount: Delivered): void;
  /** Notes that a lane accepts records again. */
  hasRoom(key: string): void;
  /** Notes that lanes of other threads have landed and there may be memory for another batch. */
  memoryFreed(): void;
  isRead(key: string): boolean;
  /** Clears all turns: each partition is read until records of it are passed to a lane again. */
  restart(): void;
  /** Stops the timer that ends turns. */
  end(): void;
}

export interface ReadSchedulerOptions {
  /** The size of one batch. */
  readonly limits: { readonly records: number; readonly bytes: number };
  /** Returns true if there is memory for another batch. */
  readonly hasRoomForBatch: () => boolean;
  readonly pause: (key: string) => void;
  readonly resume: (key: string) => void;
  /** A turn without new records ends after this time. Milliseconds. */
  readonly patienceMs?: number;
}

interface Turn {
  readonly key: string;
  records: number;
  bytes: number;
}

export function createReadScheduler(options: ReadSchedulerOptions): ReadScheduler {
  const { limits, hasRoomForBatch, pause, resume, patienceMs = 2_000 } = options;
  const full = new Set<string>();
  /** In order of arrival. */
  const waiting = new Set<string>();
  const paused = new Set<string>();
  let turn: Turn | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  return {
    delivered(key, amount) {
      if (amount.full) full.add(key);
      if (amount.behind) countBatch(key, amount);
      else if (turn?.key === key) turn = undefined;
      follow(key);
      passOn();
    },
    hasRoom(key) {
      full.delete(key);
      follow(key);
      passOn();
    },
    memoryFreed: passOn,
    isRead: (key) => !full.has(key) && !waiting.has(key),
    restart() {
      clearTimeout(timer);
      timer = undefined;
      turn = undefined;
      full.clear();
      waiting.clear();
      for (const key of [...paused]) follow(key);
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };

  function countBatch(key: string, { records, bytes }: Delivered): void {
    if (turn === undefined && waiting.size === 0 && hasRoomForBatch()) turn = { key, records: 0, bytes: 0 };
    if (turn?.key !== key) {
      waiting.add(key);
      return;
    }
    timer?.refresh();
    turn.records += records;
    turn.bytes += bytes;
    // Expects the next fetch to have a similar size. If it would not fit, the batch is complete.
    const complete = turn.records + records > limits.records || turn.bytes + bytes > limits.bytes || full.has(key);
    if (!complete) return;
    turn = undefined;
    if (waiting.size > 0) waiting.add(key);
  }

  /** If the turn is free, gives it to the first waiting lane that accepts records. */
  function passOn(): void {
    if (turn === undefined && waiting.size > 0 && hasRoomForBatch()) {
      for (const key of waiting) {
        if (full.has(key)) continue;
        waiting.delete(key);
        turn = { key, records: 0, bytes: 0 };
        timer?.refresh();
        follow(key);
        break;
      }
    }
    if (waiting.size > 0 && !ended) timer ??= setTimeout(endTurn, patienceMs);
  }

  /**
   * Ends the turn: the partition may be at its end without a record that shows it. Lanes of other partitions may also
   * have freed memory.
   */
  function endTurn(): void {
    timer = undefined;
    turn = undefined;
    passOn();
  }

  function follow(key: string): void {
    const wanted = full.has(key) || waiting.has(key);
    if (wanted === paused.has(key)) return;
    if (wanted) {
      paused.add(key);
      pause(key);
    } else {
      paused.delete(key);
      resume(key);
    }
  }
}
