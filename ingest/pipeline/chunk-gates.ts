import type { OpenedLane } from './open-lane.ts';
import { type Gate, waitAtGates } from './pipeline-lane.ts';
import type { HeldChunk } from './record.ts';

/** Delays the first chunk of a lane until its lookups are complete, one chunk at a time. */
export interface ChunkGates {
  /** True while a chunk waits. */
  isWaiting(): boolean;
  /**
   * Returns true if the first chunk of the queue can be processed now. Otherwise calls `passed` when it can, or
   * `failed`.
   */
  letThrough(chunk: HeldChunk, state: OpenedLane, queue: readonly HeldChunk[]): boolean;
  /** When a chunk reached the gates. Monotonic clock, milliseconds. */
  arrivedAt(chunk: HeldChunk): number;
}

interface ChunkGatesDeps {
  readonly gates: readonly Gate[];
  readonly passed: () => void;
  readonly failed: (error: unknown) => void;
}

function* recordsBehind(queue: readonly HeldChunk[]): Generator<HeldChunk['records']> {
  for (let index = 1; index < queue.length; index++) {
    const chunk = queue[index];
    if (chunk !== undefined) yield chunk.records;
  }
}

export function createChunkGates({ gates, passed, failed }: ChunkGatesDeps): ChunkGates {
  let waiting = false;
  /** The last chunk that passed, and the lane state it was checked with. With another state it is checked again. */
  let last: { chunk: HeldChunk; state: OpenedLane; arrivedAt: number } | undefined;
  return {
    isWaiting: () => waiting,
    letThrough(chunk, state, queue) {
      if (last?.chunk === chunk && last.state === state) return true;
      const wait = waitAtGates(gates, chunk.records, state, recordsBehind(queue));
      if (wait === undefined) return true;
      waiting = true;
      const arrivedAt = performance.now();
      wait.then(() => {
        waiting = false;
        last = { chunk, state, arrivedAt };
        passed();
      }, failed);
      return false;
    },
    arrivedAt: (chunk) => (last?.chunk === chunk ? last.arrivedAt : performance.now()),
  };
}
