import { setFlagsFromString } from 'node:v8';

/** After this many lines without a pause, the input is no live log, and speed matters more than memory. */
const BUSY_LINES = 50_000;

export interface LeanProcess {
  /** Notes that lines were read. */
  read(lines: number): void;
  idle(): void;
}

/**
 * Trades speed for memory while the detector follows a log: the optimizing compilers stay off, which saves about 10
 * MiB, because their code is never paged in. They are turned on for a flood of lines or a large file. V8 accepts these
 * flags at run time, for code that is not hot yet. Start the process with `--max-semi-space-size=1` and a compile cache
 * to save more.
 */
export function createLeanProcess(): LeanProcess {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  let lines = 0;
  let lean = true;
  return {
    read(more) {
      lines += more;
      if (!lean || lines < BUSY_LINES) return;
      lean = false;
      setFlagsFromString('--opt');
      setFlagsFromString('--maglev');
    },
    idle() {
      lines = 0;
    },
  };
}
