import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomName } from './random-name.ts';
import { type SupervisedProcess, supervise } from './services/supervised-process.ts';
import { waitFor } from './wait-for.ts';

const ENDED = Symbol('ended');
export const MAIN = fileURLToPath(new URL('../../deploy/cli/main.ts', import.meta.url));

export interface TraplineProcess extends SupervisedProcess {
  readonly dataDir: string;
  /** Resolves to the line of its log that holds the text; rejects, with the end of its log, when it ends first or two minutes pass. */
  logged(text: string): Promise<string>;
  /** All of its log so far. */
  log(): Promise<string>;
}

/** Removes what processes were given as their home. Engines of a process that was killed need a moment to end, and write until then. */
export function removeHome(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 60, retryDelay: 50 });
}

/**
 * A `trapline` command as a process of its own, as an operator runs it; ends with the run. Its log is kept in the data
 * directory, which goes when the run ends. `nodeOptions` are those that bin/trapline gives the command; `within` is a program with arguments that
 * becomes the command, such as unshare(1). `main` is the program, of another checkout if need be.
 */
export async function startTrapline(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  dataDir?: string,
  nodeOptions: readonly string[] = [],
  within: readonly string[] = [],
  main = MAIN,
): Promise<TraplineProcess> {
  const dir = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'trapline-process-')));
  const logFile = path.join(dir, `${randomName('output')}.log`);
  const [command = '', ...rest] = [...within, process.execPath, ...nodeOptions, main, ...args];
  const started = supervise({
    command,
    args: rest,
    logFile,
    env: { PORT: '0', LOG_LEVEL: 'info', TRAPLINE_DATA_DIR: path.join(dir, 'data'), ...env },
    ...(dataDir === undefined ? { removeAtEnd: dir } : {}),
  });
  return {
    ...started,
    get running() {
      return started.running;
    },
    dataDir: path.join(dir, 'data'),
    log: () => readFile(logFile, 'utf8'),
    async logged(text) {
      const found = await waitFor(
        `"${text}" in the log`,
        async () => {
          const { running } = started; // first: what it says last is in the log when it has ended
          const log = await readFile(logFile, 'utf8');
          return log.split('\n').find((line) => line.includes(text)) ?? (running ? undefined : ENDED);
        },
        { timeoutMs: 120_000 },
      ).catch((error: Error) => {
        throw new Error(`${error.message}:\n${started.output()}`);
      });
      if (found === ENDED) throw new Error(`it ended without "${text}" in its log:\n${started.output()}`);
      return found;
    },
  };
}
