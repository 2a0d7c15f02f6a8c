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
  /**
   * Resolves to the log line that contains the text. Rejects, with the end of the log, if the process ends first or
   * after two minutes.
   */
  logged(text: string): Promise<string>;
  /** Resolves to the whole log so far. */
  log(): Promise<string>;
}

/** Removes the home folder of processes. Retries, because engines of a killed process write until they end. */
export function removeHome(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 60, retryDelay: 50 });
}

/**
 * Starts a `trapline` command as a separate process, as an operator does. It ends with the run. Its log is in the data
 * directory, which is removed at the end of the run. `nodeOptions` are those that bin/trapline sets. `within` is a
 * program with arguments that executes the command, such as unshare(1). `main` is the program, which may belong to
 * another checkout.
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
          const { running } = started; // read before the log: after its end the log is complete
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
