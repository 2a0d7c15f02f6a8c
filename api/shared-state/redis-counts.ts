import type { BlockingCount } from './port.ts';
import type { RunScript, ScriptReply } from './redis-script.ts';
import { BEGAN, REFUSED } from './sliding-window.lua.ts';

/** One event to count. */
export interface RedisCount {
  /** Events of one group may be sent in one call, because their keys are on the same server. */
  readonly group: string;
  /** Names of its keys. */
  readonly window: string;
  readonly block: string;
  readonly limit: number;
  readonly windowUs: number;
  readonly blockMs: number;
}

/** Events of one group and limit, which are sent together. */
interface Queue extends Pick<RedisCount, 'group' | 'limit' | 'windowUs' | 'blockMs'> {
  keys: string[];
  /** The call of the current `keys`; undefined if there are no keys. */
  reply: PromiseWithResolvers<ScriptReply> | undefined;
  /** Number of calls in flight. */
  calls: number;
  /** Earliest time of the next call. */
  nextAt: number;
}

/**
 * Maximum number of events per call. Redis blocks while a script runs; this many events take less than a millisecond.
 */
const COUNTS_A_CALL = 100;
/**
 * How long events wait for others under load, in ms. A call costs this process and Redis far more than an additional
 * event in it. Without the wait, calls would contain few events.
 */
const SPACING_MS = 1;
/**
 * Under load, calls are on average less than this far apart, in ms. The few requests of a calm process do not wait for
 * others. The value exceeds `SPACING_MS` because timers fire late, so under load every call uses the timer.
 */
const CALM_MS = 1.5;
/** Number of calls that may be sent without delay after a calm period. */
const BURST_CALLS = 8;

/**
 * Counts events in batches. Every request is counted, so one command each would be the most expensive step of a
 * request, for this process and for Redis. One script call counts all waiting events, each separately and in order.
 * Events that arrive while it runs, and under load those of a millisecond, are sent together. So a single event is sent
 * immediately, and the cost per event falls under load.
 */
export function createRedisCounts(script: RunScript): (count: RedisCount) => Promise<BlockingCount> {
  /** Queues by group and limit. A call has one of each. The number of limits is that of the configuration. */
  const queues = new Map<string, Queue>();
  /** The last queue. Most events have the same group and limit as the previous one, which saves building the name. */
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

  /**
   * Sends waiting events at the end of this iteration of the event loop, so requests read together are sent together.
   */
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
