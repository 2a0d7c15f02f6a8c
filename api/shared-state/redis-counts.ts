import type { BlockingCount } from './port.ts';
import type { RunScript, ScriptReply } from './redis-script.ts';
import { BEGAN, REFUSED } from './sliding-window.lua.ts';

/** One request to be counted. */
export interface RedisCount {
  /** Counts of one group may go out in one call: their keys are on the same server. */
  readonly group: string;
  /** Names of its keys. */
  readonly window: string;
  readonly block: string;
  readonly limit: number;
  readonly windowUs: number;
  readonly blockMs: number;
}

/** Counts of one group and limit, which go out together. */
interface Queue extends Pick<RedisCount, 'group' | 'limit' | 'windowUs' | 'blockMs'> {
  keys: string[];
  /** The call of the current `keys`; undefined while there are no keys. */
  reply: PromiseWithResolvers<ScriptReply> | undefined;
  /** Calls that are not answered yet. */
  calls: number;
  /** From when on the next call may go out. */
  nextAt: number;
}

/** Redis serves no other command while a script runs: this many counts take less than a millisecond. */
const COUNTS_A_CALL = 100;
/**
 * How long counts wait for others under load, ms. A call costs this process and Redis many times what one more count in it does, and calls that go
 * out as soon as the last one is answered hold few.
 */
const SPACING_MS = 1;
/**
 * Load is more than a call in this time on average, ms: the few requests of a calm process do not wait for others. A timer of a millisecond is late
 * by a part of one, so that under load no call goes out sooner than by the timer.
 */
const CALM_MS = 1.5;
/** Calls that may follow one another at once after a time with fewer calls. */
const BURST_CALLS = 8;

/**
 * Every request is counted, so a command each would be the most expensive step of a request, for this process and for Redis. One call of the
 * script counts all that wait, each for itself and in its order; calls that arrive while it runs, and under load those of a millisecond, go out
 * together. So who comes alone is counted at once, and the more there are the less each costs.
 */
export function createRedisCounts(script: RunScript): (count: RedisCount) => Promise<BlockingCount> {
  /** A call has one group and one limit; limits are as many as are configured. */
  const queues = new Map<string, Queue>();
  /** Most counts are of the same group and limit as the one before: they need no name. */
  let last: Queue | undefined;

  function send(queue: Queue): void {
    const { keys, reply } = queue;
    if (reply === undefined) return;
    queue.keys = [];
    queue.reply = undefined;
    queue.calls += 1;
    queue.nextAt = Math.max(queue.nextAt, performance.now() - (BURST_CALLS - 1) * CALM_MS) + CALM_MS;
    const answered = script(keys, [queue.limit, queue.windowUs, queue.blockMs]).finally(() => {
      queue.calls -= 1;
      if (queue.calls === 0 && queue.reply !== undefined) plan(queue);
    });
    reply.resolve(answered);
  }

  /** Sends what waits, at the end of the turn of the event loop: those that were read together go out together. */
  function plan(queue: Queue): void {
    if (performance.now() >= queue.nextAt) setImmediate(send, queue);
    else setTimeout(send, SPACING_MS, queue);
  }

  function queueOf(count: RedisCount): Queue {
    if (last === undefined || !isOf(last, count)) last = namedQueue(count);
    return last;
  }

  function namedQueue({ group, limit, windowUs, blockMs }: RedisCount): Queue {
    const name = `${group} ${limit} ${windowUs} ${blockMs}`;
    let queue = queues.get(name);
    if (queue === undefined) {
      queue = {
        group,
        limit,
        windowUs,
        blockMs,
        keys: [],
        reply: undefined,
        calls: 0,
        nextAt: Number.NEGATIVE_INFINITY,
      };
      queues.set(name, queue);
    }
    return queue;
  }

  return (count) => {
    const queue = queueOf(count);
    if (queue.reply === undefined) {
      queue.reply = Promise.withResolvers();
      if (queue.calls === 0) plan(queue);
    }
    const { promise } = queue.reply;
    const end = queue.keys.push(count.window, count.block);
    if (end === 2 * COUNTS_A_CALL) send(queue);
    return promise.then((reply) => countOf(reply, end - 2));
  };
}

function isOf(queue: Queue, { group, limit, windowUs, blockMs }: RedisCount): boolean {
  return queue.group === group && queue.limit === limit && queue.windowUs === windowUs && queue.blockMs === blockMs;
}

function countOf(reply: ScriptReply, at: number): BlockingCount {
  const left = reply[at] ?? REFUSED;
  return { allowed: left >= 0, remaining: Math.max(0, left), blockedMs: reply[at + 1] ?? 0, began: left === BEGAN };
}
