import pino from 'pino';
import { expect, test } from 'vitest';
import { createTaskPolls, type WaitingPoll } from '#api/executions/worker-tasks/polls.ts';
import { waitFor } from '#test/support/wait-for.ts';

const logger = pino({ level: 'silent' });
const poll = (lease: WaitingPoll<string>['lease'], more: Partial<WaitingPoll<string>> = {}): WaitingPoll<string> => ({
  group: 'ann\nsandbox',
  queue: 'sandbox',
  lease,
  giveBack: async () => {},
  ms: 60_000,
  signal: new AbortController().signal,
  ...more,
});

test('the oldest poll receives the first task, and an empty queue ends the round', async () => {
  const polls = createTaskPolls({ logger }, { fallbackMs: 5 });
  const queue: string[] = [];
  let queries = 0;
  const lease = async () => {
    queries += 1;
    return queue.splice(0, 1);
  };
  const both = [polls.wait(poll(lease)), polls.wait(poll(lease))];
  await waitFor('a round without a task', () => queries > 0);
  expect(polls.waiting).toBe(2);
  queue.push('first', 'second');
  expect(await Promise.all(both)).toEqual([['first'], ['second']]);
  expect(polls.waiting).toBe(0);
  await polls.close();
});

test('a task leased for a poll that has ended is returned', async () => {
  const polls = createTaskPolls({ logger }, { fallbackMs: 60_000 });
  const { promise: leased, resolve: answer } = Promise.withResolvers<string[]>();
  const { promise: given, resolve: giveBack } = Promise.withResolvers<readonly string[]>();
  const gone = new AbortController();
  const waited = polls.wait(poll(() => leased, { signal: gone.signal, giveBack: async (tasks) => giveBack(tasks) }));
  gone.abort();
  expect(await waited).toEqual([]);
  answer(['task']);
  expect(await given).toEqual(['task']);
  await polls.close();
});

test('a poll with a revoked key, and polls at the end of the process, receive nothing', async () => {
  const polls = createTaskPolls({ logger }, { fallbackMs: 60_000 });
  expect(await polls.wait(poll(async () => undefined))).toEqual([]);
  const waits = polls.wait(poll(async () => []));
  await polls.close();
  expect(await waits).toEqual([]);
  expect(await polls.wait(poll(async () => ['late']))).toEqual([]);
});
