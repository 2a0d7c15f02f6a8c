import { expect, test } from 'vitest';
import { createBackground } from '#api/accounts/sign-in/background.ts';

test('settled waits for running work and for the work that it starts', async () => {
  const done: string[] = [];
  const background = createBackground({ onFailure: () => {} });
  background.run(async () => {
    await Promise.resolve();
    done.push('first');
    background.run(async () => void done.push('second'));
  });
  expect(done).toEqual([]);
  await background.settled();
  expect(done).toEqual(['first', 'second']);
});

test('a failure is reported, also one that is thrown synchronously, and does not prevent settling', async () => {
  const failures: unknown[] = [];
  const background = createBackground({ onFailure: (error) => void failures.push(error) });
  background.run(() => Promise.reject(new Error('later')));
  background.run(() => {
    throw new Error('at once');
  });
  await background.settled();
  expect(failures.map((error) => (error as Error).message).sort()).toEqual(['at once', 'later']);
});
