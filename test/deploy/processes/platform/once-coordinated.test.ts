import kafkajs from 'kafkajs';
import { expect, test } from 'vitest';
import { OutboundFailure } from '#api/outbound/port.ts';
import { onceCoordinated } from '#deploy/processes/platform/once-coordinated.ts';

/** The declared type of this constructor has no parameter, but the constructor needs a message. */
const coordinatorNotFound = (): Error =>
  Reflect.construct(kafkajs.KafkaJSGroupCoordinatorNotFound, ['Failed to find group coordinator']);

const withoutCoordinator = () =>
  new OutboundFailure('unreachable', 'Failed to find group coordinator', {
    cause: coordinatorNotFound(),
  });

/** Runs a task that fails with each of the errors in turn and then succeeds. Records the pauses between attempts. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  const pauses: number[] = [];
  const controller = new AbortController();
  let tries = 0;
  const run = () =>
    onceCoordinated(
      async () => {
        tries++;
        const error = left.shift();
        if (error !== undefined) throw error;
        return 'received';
      },
      {
        starts: 3,
        signal: controller.signal,
        pause: async (ms, until) => {
          pauses.push(ms);
          until.throwIfAborted();
        },
      },
    );
  return { run, pauses, controller, tries: () => tries };
}

test('pauses longer each time while the cluster has no coordinator for the group', async () => {
  const work = failing(withoutCoordinator(), withoutCoordinator());
  expect(await work.run()).toBe('received');
  expect(work.pauses).toEqual([250, 500]);
});

test('gives up after the last attempt', async () => {
  const last = withoutCoordinator();
  const work = failing(withoutCoordinator(), withoutCoordinator(), last);
  await expect(work.run()).rejects.toBe(last);
  expect(work.tries()).toBe(3);
});

test.each([
  new OutboundFailure('unreachable', 'the brokers do not answer', { cause: new Error('connect ECONNREFUSED') }),
  coordinatorNotFound(),
])('does not retry another failure: $name', async (error) => {
  const work = failing(error);
  await expect(work.run()).rejects.toBe(error);
  expect(work.pauses).toEqual([]);
});

test('ends its pause with the signal of the step', async () => {
  const work = failing(withoutCoordinator());
  work.controller.abort(new Error('the step was cancelled'));
  await expect(work.run()).rejects.toThrow('the step was cancelled');
  expect(work.tries()).toBe(1);
});

test('waits by the clock by default, and the signal ends the wait', async () => {
  const controller = new AbortController();
  const waiting = onceCoordinated(() => Promise.reject(withoutCoordinator()), {
    starts: 2,
    signal: controller.signal,
  });
  controller.abort(new Error('the step was cancelled'));
  await expect(waiting).rejects.toThrow('the step was cancelled');
});
