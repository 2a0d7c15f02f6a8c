import type { ShellTask } from '../../engine/contract/process-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { processOutput } from './process-output.ts';
import { inOwnFolder, runProcess } from './run-process.ts';

export interface ShellTaskConfig {
  /** Off by default, because a command has the rights of this process. */
  readonly allowed: boolean;
  /** Timeout in ms. Default 5 minutes. A shorter `timeout` of the definition applies too. */
  readonly timeoutMs?: number;
}

/** Matches a command that reads its arguments: `$1`, `$@`, `shift` … */
const READS_ARGUMENTS = /\$(?:[1-9@*#]|\{[!#]?[1-9@*#])|\b(?:shift|getopts)\b/;

/**
 * Runs a command with `/bin/sh`, in a new empty directory, with an environment that contains nothing of this process.
 */
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
    const { command, arguments: named, argv = [] } = task;
    const given = [...named, ...argv];
    // Appends named arguments, and a list that the command does not read itself.
    const follow = given.length > 0 && !(argv.length > 0 && READS_ARGUMENTS.test(command));
    return inOwnFolder('trapline-shell-', async (folder) => {
      const result = await runProcess({
        file: '/bin/sh',
        // Passed as separate parameters, so the shell does not interpret them.
        args: ['-c', follow ? `${command.trimEnd()} "$@"` : command, 'sh', ...given],
        folder,
        environment: Object.fromEntries(environment),
        stdin: task.stdin,
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
