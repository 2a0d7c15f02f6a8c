import { type ChildProcess, fork } from 'node:child_process';
import type { ExecutionsTask } from './executions-process.ts';

/** A process that executes commands and reports events. */
export interface WorkerProcess {
  readonly child: ChildProcess;
}

export function startWorker(file: string, url: string): WorkerProcess {
  return { child: fork(file, [url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }) };
}

/** Sends the command to all processes, and waits until they have executed it. */
export async function all(workers: readonly WorkerProcess[], task: ExecutionsTask['task']): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      const answered = messageFrom([worker], task);
      worker.child.send({ task });
      await answered;
    }),
  );
}

/** Resolves to the first message with this event; rejects if a process ends first. */
export async function messageFrom(
  workers: readonly WorkerProcess[],
  answer: string,
  id?: string,
): Promise<{ readonly at: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly at: number }>();
  const silenced = workers.map(({ child }) => {
    const heard = (message: { answer: string; id?: string; at: number }) => {
      if (message.answer === answer && (id === undefined || message.id === id)) resolve(message);
    };
    const ended = () => reject(new Error(`a worker ended that was to say "${answer}"`));
    child.on('message', heard).on('exit', ended);
    return () => child.off('message', heard).off('exit', ended);
  });
  try {
    return await promise;
  } finally {
    for (const silence of silenced) silence();
  }
}
