import type { DetectorLog } from './log.ts';
import { type ResumeState, saveResumeState } from './resume-state.ts';

export interface StateSaver {
  /** The state has changed. */
  touch(): void;
  /** Writes it a last time. */
  close(): Promise<void>;
}

const INTERVAL_MS = 250;

/**
 * Writes the state at most four times a second, one write at a time. One that fails is said and not fatal: the position on disk
 * is then an older one, and what is read again carries the same identities. A null path saves nothing.
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
