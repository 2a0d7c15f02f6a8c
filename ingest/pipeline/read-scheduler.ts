/*
 * Which partitions are read. Those near their end all are, side by side. Those far behind take turns, a batch each: while one batch fills, the
 * one before it lands. Side by side they would share the memory for a while, fill up at the same moment and then wait for ClickHouse
 * together, and their blocks would be as many times smaller as there are partitions.
 *
 *   read ──far behind, and another has the turn──► waiting ──the turn comes──► read ──a batch was handed over──► waiting
 *   read, waiting ──its lane is full──► full as well ──the lane has room──► as before
 */

/** What was handed over of one partition, and how its lane stands then. */
export interface HandedOver {
  readonly records: number;
  readonly bytes: number;
  /** More is waiting at the source than a batch takes. */
  readonly behind: boolean;
  /** The lane takes no more for now. */
  readonly full: boolean;
}

export interface ReadScheduler {
  handedOver(key: string, amount: HandedOver): void;
  /** A lane takes more again. */
  hasRoom(key: string): void;
  /** There may be memory for one more batch, because lanes of other threads have landed. */
  memoryFreed(): void;
  isRead(key: string): boolean;
  /** Forgets all turns: each partition is read from now on, until it is handed over again. */
  restart(): void;
  /** No turn ends by itself any more. */
  end(): void;
}

export interface ReadSchedulerOptions {
  /** What one batch takes. */
  readonly limits: { readonly records: number; readonly bytes: number };
  /** Whether there is memory for one more batch. */
  readonly hasRoomForBatch: () => boolean;
  readonly pause: (key: string) => void;
  readonly resume: (key: string) => void;
  /** A turn that brings nothing for so long is over. Milliseconds. */
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
  /** In the order of waiting. */
  const waiting = new Set<string>();
  const paused = new Set<string>();
  let turn: Turn | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  return {
    handedOver(key, amount) {
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

  function countBatch(key: string, { records, bytes }: HandedOver): void {
    if (turn === undefined && waiting.size === 0 && hasRoomForBatch()) turn = { key, records: 0, bytes: 0 };
    if (turn?.key !== key) {
      waiting.add(key);
      return;
    }
    timer?.refresh();
    turn.records += records;
    turn.bytes += bytes;
    // The next ones will be about as many: what does not fit any more would be a batch of its own.
    const complete = turn.records + records > limits.records || turn.bytes + bytes > limits.bytes || full.has(key);
    if (!complete) return;
    turn = undefined;
    if (waiting.size > 0) waiting.add(key);
  }

  /** Gives the turn, when it is free, to the first waiting lane that accepts records. */
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
    if (waiting.size > 0 && !ended) timer ??= setTimeout(lookAgain, patienceMs);
  }

  /** A partition may be at its end without a record that shows it, and lanes of other partitions may free memory. */
  function lookAgain(): void {
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
