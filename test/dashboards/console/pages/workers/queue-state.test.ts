import { expect, test } from 'vitest';
import { stateOf, type WorkerQueue } from '#dashboards/console/src/pages/workers/queue-state.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const queue = (waiting: number, leased: number, workers: WorkerQueue['workers'] = []): WorkerQueue => ({
  queue: 'sandbox',
  account: 'ann',
  waiting,
  leased,
  oldestSeconds: null,
  workers,
});
const seen = (lastSeenAt: string | null, leased = 0) => [{ name: 'box-1', lastSeenAt, leased }];

test.each([
  ['nothing to do', queue(0, 0, seen('2026-01-01T11:59:30Z')), 'idle'],
  ['all in progress', queue(0, 2), 'working'],
  ['more than the workers do at once', queue(3, 2, seen('2026-01-01T11:59:30Z', 2)), 'waiting'],
  ['a worker that is busy for long asks for no tasks', queue(1, 1, seen('2026-01-01T11:00:00Z', 1)), 'waiting'],
  ['a worker of another account', queue(1, 1, seen(null, 1)), 'waiting'],
  ['a worker that is gone', queue(1, 0, seen('2026-01-01T11:55:00Z')), 'noWorker'],
  ['no worker ever', queue(1, 0), 'noWorker'],
])('%s', (_, given, state) => {
  expect(stateOf(given, NOW)).toBe(state);
});
