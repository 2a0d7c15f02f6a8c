import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExternalTask } from '../../engine/port.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { MAX_OUTPUT_BYTES, type ProcessResult, processOutput } from './process-output.ts';

type ShellTask = Extract<ExternalTask, { kind: 'shell' }>;

const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface ShellTaskConfig {
  /** Off by default: a command has the rights of this process. */
  readonly allowed: boolean;
  /** Default 5 minutes; shorter times are the definition's `timeout`. */
  readonly timeoutMs?: number;
}

/** Runs a command by `/bin/sh`, in an empty folder of its own, with an environment that holds nothing of this process. */
export function createShellTask(
  { resolveSecrets }: { readonly resolveSecrets: ResolveSecrets },
  { allowed, timeoutMs = 300_000 }: ShellTaskConfig,
) {
  return async (task: ShellTask, context: TaskContext): Promise<JsonValue> => {
    if (!allowed)
      throw taskFailure(
        'authorization',
        context.step,
        'the operator does not allow shell commands (TRAPLINE_SHELL_TASKS)',
      );
    const secrets = await secretsOf([task.environment], context, resolveSecrets);
    secrets.requireUnbound('a shell command');
    const given = Object.entries(task.environment).map(([name, value]) => [name, secrets.text(value)] as const);
    const folder = await mkdtemp(join(tmpdir(), 'trapline-shell-'));
    try {
      const environment = { PATH: SEARCH_PATH, HOME: folder, TMPDIR: folder, ...Object.fromEntries(given) };
      const result = await execute(task, { folder, environment, timeoutMs, context });
      return processOutput(
        createRedaction(secrets.used()).json({ ...result }),
        task.return,
        'the command',
        context.step,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly context: TaskContext;
}

/** Arguments follow the command as parameters of their own: nothing in them is read by the shell. */
function execute(task: ShellTask, { folder, environment, timeoutMs, context }: Place): Promise<ProcessResult> {
  const { step, signal } = context;
  return new Promise((resolve, reject) => {
    const child = spawn(
      '/bin/sh',
      ['-c', `${task.command}${task.arguments.length > 0 ? ' "$@"' : ''}`, 'sh', ...task.arguments],
      {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own: what the command started ends with it.
        detached: true,
      },
    );
    let failure: unknown;
    const end = (reason: unknown) => {
      failure ??= reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has ended already.
      }
    };
    const timer = setTimeout(
      () => end(taskFailure('timeout', step, `the command took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    const abort = () => end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const collected = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    for (const name of ['stdout', 'stderr'] as const) {
      let bytes = 0;
      child[name].on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES)
          end(taskFailure('runtime', step, `the command wrote more than ${MAX_OUTPUT_BYTES} bytes to ${name}`));
        else collected[name].push(chunk);
      });
    }
    child.once('error', end);
    child.once('close', (code, ended) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // Processes that the command left behind.
      end(undefined);
      if (failure !== undefined) return reject(failure);
      if (code === null) return reject(taskFailure('runtime', step, `the command was ended by ${String(ended)}`));
      const text = (name: 'stdout' | 'stderr') => Buffer.concat(collected[name]).toString('utf8');
      resolve({ code, stdout: text('stdout'), stderr: text('stderr') });
    });
  });
}
