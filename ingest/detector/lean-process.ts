import { setFlagsFromString } from 'node:v8';

/** More lines than this without a moment of silence are no following any more: speed counts again. */
const BUSY_LINES = 50_000;

export interface LeanProcess {
  /** Takes note of lines read. */
  read(lines: number): void;
  idle(): void;
}

/**
 * Trades speed that following a log does not need for memory: the optimizing compilers stay off, which saves about 10 MiB
 * (their code is never paged in), until the input turns out to be a flood or a large file. V8 takes these flags while it runs,
 * for code that is not hot yet. Start the process with `--max-semi-space-size=1` and a compile cache to save more.
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
