import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcrypt';
import { END, type HashAnswer, type HashTask } from './hash-message.ts';

/**
 * Priority difference in `nice` steps; the maximum of `nice` is 19. Under contention, the hashing thread gets a third
 * of the CPU time of the thread that serves requests.
 */
const NICE_STEPS = 5;
const MAX_NICE = 19;

// On Linux, priority is a thread property and 0 means the calling thread, so threads that serve requests run first on a
// busy machine. The value is relative to the process: only root may raise a priority, and a thread that tries would
// end.
if (process.platform === 'linux') setPriority(0, Math.min(MAX_NICE, getPriority(0) + NICE_STEPS));

parentPort?.on('message', (task: HashTask | typeof END) => {
  if (task === END) parentPort?.close();
  else parentPort?.postMessage(answer(task));
});

function answer(task: HashTask): HashAnswer {
  try {
    return {
      value: 'hash' in task ? bcrypt.compareSync(task.digest, task.hash) : bcrypt.hashSync(task.digest, task.cost),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
