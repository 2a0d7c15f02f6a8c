import type { DetectorLog } from './log.ts';
import { type ResumeState, saveResumeState } from './resume-state.ts';

export interface StateSaver {
  /** Notes that the state has changed. */
  touch(): void;
  /** Writes the state a last time. */
  close(): Promise<void>;
}

const INTERVAL_MS = 250;

/**
 * Writes the state at most four times per second, one write at a time. A failed write is logged and not fatal. The
 * position on disk is then older, and events that are read again have the same ids. If `path` is null, nothing is
 * saved.
 */
export function createStateSaver(path: string | null, current: () => ResumeState, log: DetectorLog): StateSaver {
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<void> = Promise.resolve();

  function save(): void {
    timer = null;
    if (path === null) return;
    last = last
      .then(() => saveResumeState(path, current()))
      .catch((error: NodeJS.ErrnoException) =>
        log('error', { code: error.code ?? null }, 'the position cannot be saved'),
      );
  }

  return {
    touch() {
      if (path !== null) timer ??= setTimeout(save, INTERVAL_MS);
    },
    async close() {
      if (timer) clearTimeout(timer);
      save();
      await last;
    },
  };
}
