import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PythonTask } from '../../engine/contract/process-task.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { processOutput } from './process-output.ts';
import { inOwnFolder, runProcess } from './run-process.ts';
import type { ShellTaskConfig } from './shell-task.ts';

/**
 * Runs the script with its arguments as global variables, or for a list, in `sys.argv`. Isolated mode (`-I`):
 * environment variables and directories do not affect imports.
 */
const START = `import json, runpy, sys
with open('arguments.json', encoding='utf-8') as file: given = json.load(file)
sys.argv[:1] = ['script.py']
runpy.run_path('script.py', init_globals={'arguments': given, **given}, run_name='__main__')`;

/**
 * Runs a script with `python3` of the machine, in a new directory. It has the rights of this process, like a shell
 * command.
 */
export function createPythonTask(
  { documents }: { readonly documents: Pick<Documents, 'text'> },
  { allowed, timeoutMs = 300_000 }: ShellTaskConfig,
) {
  return async (task: PythonTask, context: TaskContext): Promise<JsonValue> => {
    if (!allowed)
      throw taskFailure(
        'authorization',
        context.step,
        'the operator does not allow scripts in Python (TRAPLINE_SHELL_TASKS)',
      );
    const code = task.source === undefined ? task.code : await documents.text(task.source, context);
    return inOwnFolder('trapline-python-', async (folder) => {
      await writeFile(join(folder, 'script.py'), code);
      await writeFile(join(folder, 'arguments.json'), JSON.stringify(task.arguments));
      const result = await runProcess({
        file: 'python3',
        args: ['-I', '-X', 'utf8', '-c', START, ...(task.argv ?? [])],
        folder,
        environment: task.environment,
        stdin: task.stdin,
        timeoutMs,
        what: 'the script',
        context,
      });
      return processOutput(result, task.return, 'the script', context.step);
    });
  };
}
