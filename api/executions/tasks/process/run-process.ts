import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { MAX_OUTPUT_BYTES, type ProcessResult } from './process-output.ts';

const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A program to run on this machine. */
export interface ProcessToRun {
  readonly file: string;
  readonly args: readonly string[];
  /** Working directory, home directory and directory for temporary files. */
  readonly folder: string;
  /** The complete environment: nothing of this process is added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input. If undefined, it is empty. */
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Names the program in errors. */
  readonly what: string;
  readonly context: Pick<TaskContext, 'step' | 'signal'>;
}

/** Returns the environment of a program, without variables of this process. */
export function programEnvironment(folder: string): Record<string, string> {
  return { PATH: SEARCH_PATH, HOME: folder, TMPDIR: folder };
}

/** Runs `work` with a new directory, which is removed afterwards. */
export async function inOwnFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a program and all its child processes to the end. Rejects with `TaskFailure` above a limit, or with the reason
 * of the signal.
 */
export function runProcess({
  file,
  args,
  folder,
  environment,
  stdin,
  timeoutMs,
  what,
  context: { step, signal },
}: ProcessToRun): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...programEnvironment(folder), ...environment },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A new process group, so child processes end with the program.
      detached: true,
    });
    let failure: unknown;
    const end = (reason: unknown) => {
      failure ??= reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has already ended.
      }
    };
    const timer = setTimeout(
      () => end(taskFailure('timeout', step, `${what} took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    const abort = () => end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    // A program may end without reading all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    const collected = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    for (const name of ['stdout', 'stderr'] as const) {
      let bytes = 0;
      child[name]?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES)
          end(taskFailure('runtime', step, `${what} wrote more than ${MAX_OUTPUT_BYTES} bytes to ${name}`));
        else collected[name].push(chunk);
      });
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ENOENT' ? taskFailure('configuration', step, `${file} is not installed on the worker`) : error,
      ),
    );
    child.once('close', (code, ended) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // Ends processes that the program left behind.
      end(undefined);
      if (failure !== undefined) return reject(failure);
      if (code === null) return reject(taskFailure('runtime', step, `${what} was ended by ${String(ended)}`));
      const text = (name: 'stdout' | 'stderr') => Buffer.concat(collected[name]).toString('utf8');
      resolve({ code, stdout: text('stdout'), stderr: text('stderr') });
    });
  });
}
