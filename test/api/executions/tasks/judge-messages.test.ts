import { expect, test } from 'vitest';
import type { MessageSubscription } from '#api/executions/engine/contract/call-task.ts';
import { createMessageJudge, holdsFor } from '#api/executions/tasks/asyncapi/judge-messages.ts';
import { useEvaluate } from '../engine/play.ts';

const evaluate = useEvaluate();

/** Returns the payloads that a subscription accepts of the numbers from 1 on, and the one that ended it. */
async function received(subscription: MessageSubscription, of = 8) {
  const asker = { step: '/do/0/hear', account: 'account' };
  const { judge, throwFailure } = createMessageJudge(subscription, holdsFor(evaluate, subscription, asker));
  const taken: number[] = [];
  for (let n = 1; n <= of; n++) {
    const { take, more } = await judge({ payload: n, headers: {} });
    if (take) taken.push(n);
    if (more) continue;
    throwFailure();
    return { taken, last: n };
  }
  return { taken, last: undefined };
}

const even = '${ .payload % 2 == 0 }';

test.each<[string, MessageSubscription, readonly number[], number | undefined]>([
  ['the amount counts what the filter accepts', { filter: even, amount: 3 }, [2, 4, 6], 6],
  ['the last message of `while` is taken', { while: '${ .payload < 3 }' }, [1, 2, 3], 3],
  ['`while` is not asked of other messages', { filter: even, while: '${ .payload < 3 }' }, [2, 4], 4],
  ['the last message of `until` is not', { until: '${ .payload == 3 }' }, [1, 2], 3],
  ['`until` is not asked of other messages', { filter: even, until: '${ .payload >= 3 }' }, [2], 4],
  ['without `${ }` too', { until: '.payload == 2' }, [1], 2],
  [
    'variables are those of the beginning',
    { until: '${ .payload == $context.at }', variables: { context: { at: 4 } } },
    [1, 2, 3],
    4,
  ],
  ['only a time ends it', { forMs: 1 }, [1, 2, 3, 4, 5, 6, 7, 8], undefined],
])('%s', async (_name, subscription, taken, last) => {
  expect(await received(subscription)).toEqual({ taken, last });
});

test('accepts a thousand messages at most', async () => {
  expect((await received({ while: '${ true }' }, 1_001)).last).toBe(1_000);
});

test('fails with the expression', async () => {
  await expect(received({ filter: '${ .payload | keys }' })).rejects.toMatchObject({
    error: { type: expect.stringContaining('expression'), status: 400, instance: '/do/0/hear' },
  });
});
