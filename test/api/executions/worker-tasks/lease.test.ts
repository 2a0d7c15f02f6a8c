import { expect, test } from 'vitest';
import { type FoundTask, judgeLease, type LeaseAction, workerError } from '#api/executions/worker-tasks/lease.ts';

const leased: FoundTask = { status: 'leased', epoch: 3, losses: 0, expired: false, wanted: true };
const judge = (task: Partial<FoundTask>, token: number, action: LeaseAction = 'complete') => {
  const judged = judgeLease({ ...leased, ...task }, { token, action });
  return typeof judged === 'object' ? judged.reason : judged;
};

test.each<[string, Partial<FoundTask>, number, LeaseAction, string | undefined]>([
  ['a valid lease', {}, 3, 'complete', undefined],
  ['an expired lease that no other worker has', { expired: true }, 3, 'complete', 'expired'],
  ['an expired lease whose task waits again', { status: 'waiting' }, 3, 'fail', 'expired'],
  ['a lease of another worker', {}, 2, 'complete', 'leased-again'],
  ['a token that was never given', {}, 4, 'complete', 'not-leased'],
  ['an execution that was cancelled', { wanted: false }, 3, 'extend', 'cancelled'],
  ['a cancelled task, asked by an old worker', { status: 'cancelled' }, 2, 'complete', 'cancelled'],
  ['a task that another worker completed', { status: 'completed', wanted: false }, 2, 'complete', 'ended'],
  [
    'a task that this worker completed, its answer lost',
    { status: 'completed', wanted: false },
    3,
    'complete',
    'repeated',
  ],
  ['a task that this worker completed, failed now', { status: 'completed', wanted: false }, 3, 'fail', 'ended'],
  ['a task that this worker failed, its answer lost', { status: 'failed', wanted: false }, 3, 'fail', 'repeated'],
  ['a task that this worker released, its answer lost', { status: 'waiting' }, 3, 'release', 'repeated'],
])('%s', (_, task, token, action, verdict) => {
  expect(judge(task, token, action)).toBe(verdict);
});

test('a failure is an error of the language, with the message of the worker', () => {
  expect(workerError({ message: 'no machine', retryable: true })).toEqual({
    type: 'https://serverlessworkflow.io/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Worker failed',
    detail: 'no machine',
  });
  const own = { message: 'not a file', retryable: false, type: 'https://example.org/no-file', status: 422 };
  expect(workerError(own)).toMatchObject({ type: 'https://example.org/no-file', status: 422, retryable: false });
});
