import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcrypt';

/** What a thread is asked: to hash, or to compare with a hash. `digest` is the secret's pre-hash, never the secret. */
export type HashTask = { readonly digest: string } & ({ readonly cost: number } | { readonly hash: string });

/** What it answers: the hash, or whether it matches. */
export type HashAnswer = { readonly value: string | boolean } | { readonly error: string };

/** Of `nice`, whose last step is 19. Where both want the processor, a third of the time that goes to the thread that answers requests. */
const STEPS_BEHIND = 5;
const LAST = 19;

// On Linux a priority belongs to a thread, and 0 is the one that asks: whoever answers requests goes first on a busy machine. Counted from
// where the process stands: to go before that is forbidden to all but root, and a thread that tried would end.
if (process.platform === 'linux') setPriority(0, Math.min(LAST, getPriority(0) + STEPS_BEHIND));

parentPort?.on('message', (task: HashTask) => {
  parentPort?.postMessage(answer(task));
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
