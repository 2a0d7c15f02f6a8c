import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLongPoll } from '#api/http/responses/long-poll.ts';

const never = () => new Promise<unknown>(() => {});

test('holds up to the maximum, and frees the slot of an answered or disconnected request', async () => {
  const hold = createLongPoll({ max: 2 });
  const answered = hold('ada', async () => ({ executionId: 'exec_1' }));
  const left = hold('ada', never);
  expect(hold('ada', never)).toBeUndefined();

  if (answered === undefined || left === undefined) throw new Error('two were to be held');
  expect(JSON.parse(await text(answered))).toEqual({ executionId: 'exec_1' });
  left.destroy();
  await once(left, 'close');
  const again = [hold('ada', never), hold('ada', never)];
  expect(again).not.toContain(undefined);
  expect(hold('ada', never)).toBeUndefined();
  for (const stream of again) stream?.destroy();
});

test('stops waiting for a disconnected client', async () => {
  const gone = Promise.withResolvers<void>();
  const stream = createLongPoll()('ada', (signal) => {
    signal.addEventListener('abort', () => gone.resolve());
    return gone.promise;
  });
  stream?.destroy();
  await gone.promise;
});

test('one caller holds no more than its share, also while responses to others are held', () => {
  const hold = createLongPoll({ max: 3, maxOfCaller: 2 });
  const held = [hold('ada', never), hold('ada', never)];
  expect(hold('ada', never)).toBeUndefined();
  held.push(hold('bob', never));
  expect(held).not.toContain(undefined);
  for (const stream of held) stream?.destroy();
});
