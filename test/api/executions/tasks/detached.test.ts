import { expect, test } from 'vitest';
import type { ShellTask } from '#api/executions/engine/contract/process-task.ts';
import type { LogLine } from '#api/executions/sandbox/port.ts';
import { createDetachedTasks } from '#api/executions/tasks/detached.ts';
import { taskFailure } from '#api/executions/tasks/failures.ts';
import { createShellTask } from '#api/executions/tasks/process/shell-task.ts';
import { taskContext } from './task-context.ts';

const shell = createShellTask({ resolveSecrets: async () => new Map() }, { allowed: true });
const task = (command: string): ShellTask => ({
  kind: 'shell',
  command,
  arguments: [],
  environment: {},
  return: 'stdout',
  detached: true,
});
const context = (ownerId: string, signal?: AbortSignal) => ({
  ...taskContext({ ownerId, ...(signal === undefined ? {} : { signal }) }),
  attempt: 1,
  requestId: null,
});

function start(limits?: Parameters<typeof createDetachedTasks>[1]) {
  const said: LogLine[] = [];
  const begun: string[] = [];
  const tasks = createDetachedTasks(
    {
      runTask: (given, of) => {
        if (given.kind !== 'shell') throw taskFailure('configuration', of.step, 'not a command');
        begun.push(given.command);
        return shell(given, of);
      },
      lines: { add: (_of, line) => void said.push(line), flush: async () => {} },
    },
    limits,
  );
  return { tasks, said, begun };
}

test('does not wait for a task, which ends with the worker and not with its step', async () => {
  const { tasks, said, begun } = start();
  const step = new AbortController();
  expect(await tasks.begin(task('sleep 1000'), context('a', step.signal))).toBeNull();
  step.abort(new Error('the step has ended'));
  expect(begun).toEqual(['sleep 1000']);
  await tasks.close();
  expect(said).toEqual([]);
});

test('logs a failure', async () => {
  const { tasks, said } = start();
  await tasks.begin(task('echo broken >&2; exit 3'), context('a'));
  await expect
    .poll(() => said)
    .toEqual([
      {
        level: 'error',
        text: 'the shell that no step waits for failed: the command ended with the code 3: broken\n'.trim(),
      },
    ]);
  await tasks.close();
});

test('tasks above the limit of a worker or an account wait for a slot, until their step ends', async () => {
  const { tasks, begun } = start({ total: 2, perAccount: 1 });
  await tasks.begin(task('sleep 1000 #a'), context('a'));
  const step = new AbortController();
  const second = tasks.begin(task('echo second'), context('a', step.signal));
  await tasks.begin(task('echo other'), context('b'));
  expect(begun).toEqual(['sleep 1000 #a', 'echo other']);
  step.abort(new Error('the step was ended'));
  await expect(second).rejects.toThrow('the step was ended');
  // The slot of the other account is free when its command has ended.
  await tasks.begin(task('echo again'), context('b'));
  expect(begun).toEqual(['sleep 1000 #a', 'echo other', 'echo again']);
  await tasks.close();
});
