import type { Seal } from '#api/executions/secrets/seal.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Output } from './port.ts';
import type { OutputReach } from './reach.ts';
import type { OutputRow } from './tables/outputs.ts';
import { openTracedOutput } from './traced-output.ts';

/** Receivers that stay open between time slices. */
export interface OpenOutputs {
  /** Returns the receiver of this definition, and closes one of an older definition. Throws `OutputFailure`. */
  get(row: OutputRow): Output;
  /**
   * Closes receivers that were not used for a while, except the busy ones: their outputs were deleted, or other
   * processes serve them.
   */
  closeIdle(busy: ReadonlyMap<string, unknown>): void;
  close(): Promise<void>;
}

const IDLE_MS = 300_000;

export function createOpenOutputs(deps: {
  readonly reach: OutputReach;
  readonly seal: Seal;
  readonly tracing: Tracing;
}): OpenOutputs {
  const open = new Map<string, { readonly version: number; readonly output: Output; usedAt: number }>();
  const closings = new Set<Promise<void>>();

  function drop(id: string): void {
    const closing = open.get(id)?.output.close();
    open.delete(id);
    if (closing === undefined) return;
    const settled = closing.catch(() => {}).finally(() => closings.delete(settled));
    closings.add(settled);
  }

  return {
    get(row) {
      const known = open.get(row.id);
      if (known?.version === row.version) {
        known.usedAt = performance.now();
        return known.output;
      }
      drop(row.id);
      const output = openTracedOutput(deps, row);
      open.set(row.id, { version: row.version, output, usedAt: performance.now() });
      return output;
    },
    closeIdle(busy) {
      for (const [id, { usedAt }] of open) if (!busy.has(id) && performance.now() - usedAt > IDLE_MS) drop(id);
    },
    async close() {
      for (const id of open.keys()) drop(id);
      await Promise.all(closings);
    },
  };
}
