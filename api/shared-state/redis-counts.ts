import type { BlockingCount } from './port.ts';
import type { RunScript, ScriptReply } from './redis-script.ts';
import { BEGAN, REFUSED } from './sliding-window.lua.ts';

/** One request to be counted. */
export interface RedisCount {
  /** Names of its keys. */
  readonly window: string;
  readonly block: string;
  readonly limit: number;
  readonly windowUs: number;
  readonly blockMs: number;
}

/** Counts of one limit, which go out together. */
interface Queue {
  readonly limit: readonly number[];
  keys: string[];
  answers: PromiseWithResolvers<BlockingCount>[];
  /** Calls that are not answered yet. */
  calls: number;
}

/** Nobody else is served while a script runs: so many counts take Redis less than a millisecond. */
const COUNTS_A_CALL = 100;

/**
 * Every request is counted, so a command each would be the most expensive step of a request, for this process and for Redis. One call of the
 * script counts all that wait, each for itself and in its order; what comes while it is under way waits for its answer and goes out together. So
 * who comes alone is counted at once, and the more there are the less each costs.
 */
export function createRedisCounts(script: RunScript): (count: RedisCount) => Promise<BlockingCount> {
  /** A call has one limit; there are as many as are configured. */
  const queues = new Map<string, Queue>();

  function send(queue: Queue): void {
    const { keys, answers } = queue;
    if (answers.length === 0) return;
    queue.keys = [];
    queue.answers = [];
    queue.calls += 1;
    script(keys, queue.limit)
      .then(
        (reply) => {
          for (const [at, { resolve }] of answers.entries()) resolve(countOf(reply, at));
        },
        (error: unknown) => {
          for (const { reject } of answers) reject(error);
        },
      )
      .finally(() => {
        queue.calls -= 1;
        if (queue.calls === 0) send(queue);
      });
  }

  function queueOf({ limit, windowUs, blockMs }: RedisCount): Queue {
    const name = `${limit} ${windowUs} ${blockMs}`;
    let queue = queues.get(name);
    if (queue === undefined) {
      queue = { limit: [limit, windowUs, blockMs], keys: [], answers: [], calls: 0 };
      queues.set(name, queue);
    }
    return queue;
  }

  return (count) => {
    const queue = queueOf(count);
    const answer = Promise.withResolvers<BlockingCount>();
    queue.keys.push(count.window, count.block);
    // At the end of the turn of the event loop: those that were read together go out together.
    if (queue.answers.push(answer) === 1 && queue.calls === 0) setImmediate(send, queue);
    if (queue.answers.length === COUNTS_A_CALL) send(queue);
    return answer.promise;
  };
}

function countOf(reply: ScriptReply, at: number): BlockingCount {
  const [left = REFUSED, blockedMs = 0] = [reply[2 * at], reply[2 * at + 1]];
  return { allowed: left >= 0, remaining: Math.max(0, left), blockedMs, began: left === BEGAN };
}
