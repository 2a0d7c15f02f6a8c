import type { CommandContext } from './context.ts';

export interface Progress {
  /** `done` pieces of work so far; shown at most four times a second. */
  update(done: number): void;
  /** Takes the line off the terminal. */
  end(): void;
}

const EVERY_MS = 250;

/** A line on standard error that shows how far long work has come: on a terminal only, and only once it takes a while. */
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
  /** `share` of the step that is done, 0 to 1; shown at most four times a second. */
  step(name: string, share: number): void;
  end(): void;
}

/** The same for work of several steps, some of which run at the same time: a percentage for each. */
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
