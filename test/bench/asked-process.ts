import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of its own for a part of a benchmark: it is sent tasks, and sends an answer to each. It ends with who started it. */
export function startAsked(file: string, nodeArgs: readonly string[] = []): ChildProcess {
  return fork(file, { execArgv: [...nodeArgs], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Sends a task and resolves to the answer; rejects when the process ends instead. One at a time. */
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
    // One of them is not waited for any more.
    ended.catch(() => {});
    answered.catch(() => {});
    over.abort();
  }
}

/** The other side: in the process that is asked. What goes wrong ends it. */
export function answerEach<Task>(answer: (task: Task) => Promise<object>): void {
  process.on('message', async (task: Task) => {
    process.send?.(await answer(task));
  });
  // Who asks is gone, however that happened.
  process.on('disconnect', () => process.exit());
}
