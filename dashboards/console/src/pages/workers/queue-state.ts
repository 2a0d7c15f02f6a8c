import type { Answer } from '../../api/client.ts';

export type WorkerQueue = Answer<'get', '/api/worker-queues'>['data'][number];
export type QueueState = 'idle' | 'working' | 'waiting' | 'noWorker';

/**
 * Time after which a worker counts as gone. A worker polls at least once per minute while it has capacity, and extends
 * its leases otherwise.
 */
const GONE_AFTER_MS = 2 * 60_000;

/** Returns the state of a queue. `noWorker`: tasks are waiting, and no worker has polled recently or holds a lease. */
export function stateOf({ waiting, leased, workers }: WorkerQueue, now: number): QueueState {
  if (waiting === 0) return leased === 0 ? 'idle' : 'working';
  const isThere = workers.some(
    (worker) =>
      worker.leased > 0 || (worker.lastSeenAt !== null && now - Date.parse(worker.lastSeenAt) < GONE_AFTER_MS),
  );
  return isThere ? 'waiting' : 'noWorker';
}
