import type { Answer } from '../../api/client.ts';

export type WorkerQueue = Answer<'get', '/api/worker-queues'>['data'][number];
export type QueueState = 'idle' | 'working' | 'waiting' | 'noWorker';

/** A worker asks at least once a minute while it has room, and extends its leases while it has none. */
const GONE_AFTER_MS = 2 * 60_000;

/** How a queue stands. `noWorker`: tasks wait, and no worker has asked for any lately or holds one. */
export function stateOf({ waiting, leased, workers }: WorkerQueue, now: number): QueueState {
  if (waiting === 0) return leased === 0 ? 'idle' : 'working';
  const isThere = workers.some(
    (worker) =>
      worker.leased > 0 || (worker.lastSeenAt !== null && now - Date.parse(worker.lastSeenAt) < GONE_AFTER_MS),
  );
  return isThere ? 'waiting' : 'noWorker';
}
