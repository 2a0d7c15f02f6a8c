import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import type { LogLine } from '../sandbox/port.ts';
import { type ConsoleLine, insertConsoleLines } from '../store/console-lines.ts';

/** Writes `console` lines of scripts to the logs of their executions while they run. */
export interface ConsoleLines {
  add(of: Pick<ConsoleLine, 'executionId' | 'step'>, line: LogLine): void;
  /** Resolves when all lines are written or dropped. */
  flush(): Promise<void>;
}

/** Lines within this time are written together. */
const PAUSE_MS = 50;
/** Maximum lines of one execution per process; further lines of a loop are dropped. */
const MAX_LINES = 10_000;
const EXECUTIONS_KNOWN = 10_000;
const MAX_TEXT = 20_000;

/** Creates the writer. A line that cannot be written is dropped: a step does not fail because of its log. */
export function createConsoleLines({
  database,
  logger,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
}): ConsoleLines {
  const counts = new Map<string, number>();
  let waiting: ConsoleLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0)
      writing = writing
        .then(() => insertConsoleLines(database, lines))
        .catch((error: unknown) => {
          logger.warn({ err: error, lines: lines.length }, 'cannot write log lines of scripts');
        });
    return writing;
  }

  /** Counts a line. The first line above the limit is replaced with a notice. */
  function count(executionId: string): number {
    const known = (counts.get(executionId) ?? 0) + 1;
    counts.delete(executionId);
    counts.set(executionId, known);
    if (counts.size > EXECUTIONS_KNOWN) counts.delete(counts.keys().next().value as string);
    return known;
  }

  return {
    add({ executionId, step }, { level, text }) {
      const number = count(executionId);
      if (number > MAX_LINES + 1) return;
      const line = { level, text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text };
      const shown =
        number > MAX_LINES ? { level: 'warn', text: `more than ${MAX_LINES} lines: the rest is left out` } : line;
      // PostgreSQL cannot store NUL in text.
      const kept = shown.text.replaceAll('\u0000', '\ufffd').toWellFormed();
      waiting.push({ executionId, step, level: shown.level as LogLine['level'], text: kept, at: new Date() });
      timer ??= setTimeout(() => void write(), PAUSE_MS);
    },
    flush: write,
  };
}
