import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcrypt';
import { END, type HashAnswer, type HashTask } from './hash-message.ts';

/** Of `nice`, whose last step is 19. Where both want the processor, a third of the time that goes to the thread that answers requests. */
const STEPS_BEHIND = 5;
const LAST = 19;

// On Linux a priority belongs to a thread, and 0 is the calling one: threads that serve requests go first on a busy machine. Counted from
// where the process stands: to go before that is forbidden to all but root, and a thread that tried would end.
if (process.platform === 'linux') setPriority(0, Math.min(LAST, getPriority(0) + STEPS_BEHIND));

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
