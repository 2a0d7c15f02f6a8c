import type { CommandContext } from './context.ts';

export interface PercentProgress {
  /** `total`: number of items; undefined while unknown. */
  update(done: number, total: number | undefined): void;
  /** Clears the line on a terminal. */
  end(): void;
}

const TERMINAL_EVERY_MS = 250;
/** Shorter work reports nothing, so the error output of a script stays empty. */
const QUIET_MS = 2_000;
const LINE_PERCENT = 10;

/** Formats `exported 37 % (3,700 of 10,000)`, or `exported 3,700` without a total. */
export function percentText(what: string, done: number, total: number | undefined): string {
  if (total === undefined || total <= 0) return `${what} ${done.toLocaleString('en')}`;
  return `${what} ${percentOf(done, total)} % (${done.toLocaleString('en')} of ${total.toLocaleString('en')})`;
}

/**
 * Reports the progress of long work on standard error: on a terminal in one changing line, otherwise one line per 10 %.
 * `what` is a participle such as `exported`.
 */
export function createPercentProgress(
  { stderr, note }: Pick<CommandContext, 'stderr' | 'note'>,
  what: string,
  now: () => number = () => performance.now(),
): PercentProgress {
  const startedAt = now();
  let shownAt = startedAt;
  let shownPercent = 0;
  let shown = false;
  return {
    update(done, total) {
      const at = now();
      if (stderr.isTTY) {
        if (at - shownAt < TERMINAL_EVERY_MS) return;
        shownAt = at;
        shown = true;
        stderr.write(`\r\x1b[K${percentText(what, done, total)}`);
        return;
      }
      const percent = total === undefined ? 0 : percentOf(done, total);
      if (at - startedAt < QUIET_MS || percent < shownPercent + LINE_PERCENT) return;
      shownPercent = percent - (percent % LINE_PERCENT);
      note(percentText(what, done, total));
    },
    end() {
      if (shown) stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}

/** At most 100, because records can arrive during an export. */
function percentOf(done: number, total: number): number {
  return Math.min(100, Math.floor((100 * done) / total));
}
