import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a child process for a part of a benchmark. It receives tasks and sends one response to each. It ends with its
 * parent.
 */
export function startAsked(file: string, nodeArgs: readonly string[] = []): ChildProcess {
  return fork(file, { execArgv: [...nodeArgs], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Sends a task and resolves to the response; rejects if the process ends. One task at a time. */
export async function ask<Answer>(child: ChildProcess, task: object): Promise<Answer> {
  const over = new AbortController();
  const answered = once(child, 'message', { signal: over.signal });
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`the process ended with ${code} before it answered`);
  });
  child.send(task);
  try {
    const [answer] = await Promise.race([answered, ended]);
    return answer as Answer;
  } finally {
    // The promise that lost the race rejects later: prevent an unhandled rejection.
    ended.catch(() => {});
    answered.catch(() => {});
    over.abort();
  }
}

/** The child side: handles each task. An error ends the process. */
export function answerEach<Task>(answer: (task: Task) => Promise<object>): void {
  process.on('message', async (task: Task) => {
    process.send?.(await answer(task));
  });
  // The parent has ended, for whatever reason.
  process.on('disconnect', () => process.exit());
}
