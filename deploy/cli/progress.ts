import type { CommandContext } from './context.ts';

export interface Progress {
  /** Sets the number of completed items. Redraws at most four times a second. */
  update(done: number): void;
  /** Clears the line on the terminal. */
  end(): void;
}

const EVERY_MS = 250;

/** Shows the progress of long work in one line on standard error. Only on a terminal, and only after a delay. */
export function createProgress({ stderr }: Pick<CommandContext, 'stderr'>, unit: string): Progress {
  if (!stderr.isTTY) return { update() {}, end() {} };
  let shownAt = performance.now();
  let shown = false;
  return {
    update(done) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      shown = true;
      stderr.write(`\r\x1b[K${done.toLocaleString('en')} ${unit}`);
    },
    end() {
      if (shown) stderr.write('\r\x1b[K');
    },
  };
}

export interface StepProgress {
  /** `share`: completed fraction of the step, 0 to 1. Redraws at most four times a second. */
  step(name: string, share: number): void;
  end(): void;
}

/** The same for several steps, some of them concurrent, with a percentage for each. */
export function createStepProgress({ stderr }: Pick<CommandContext, 'stderr'>): StepProgress {
  if (!stderr.isTTY) return { step() {}, end() {} };
  const shares = new Map<string, number>();
  let shownAt = performance.now();
  let shown = false;
  return {
    step(name, share) {
      shares.set(name, share);
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      shown = true;
      const text = [...shares].map(([step, done]) => `${step} ${Math.floor(100 * done)} %`).join('  ');
      stderr.write(`\r\x1b[K${text}`);
    },
    end() {
      if (shown) stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}
