import type { ExternalTask } from '../../engine/port.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { processOutput } from './process-output.ts';
import { inOwnFolder, runProcess } from './run-process.ts';

type ShellTask = Extract<ExternalTask, { kind: 'shell' }>;

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
    const environment = Object.entries(task.environment).map(([name, value]) => [name, secrets.text(value)] as const);
    const { command, arguments: given } = task;
    return inOwnFolder('trapline-shell-', async (folder) => {
      const result = await runProcess({
        file: '/bin/sh',
        // Arguments follow the command as parameters of their own: nothing in them is read by the shell.
        args: ['-c', `${command}${given.length > 0 ? ' "$@"' : ''}`, 'sh', ...given],
        folder,
        environment: Object.fromEntries(environment),
        timeoutMs,
        what: 'the command',
        context,
      });
      return processOutput(
        createRedaction(secrets.used()).json({ ...result }),
        task.return,
        'the command',
        context.step,
      );
    });
  };
}
