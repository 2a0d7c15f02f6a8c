import { expect, test } from 'vitest';
import { createBackground } from '#api/accounts/sign-in/background.ts';

test('settled waits for what is under way, and for what that begins', async () => {
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

test('a failure is told, also one that is thrown at once, and keeps nothing from settling', async () => {
  const failures: unknown[] = [];
  const background = createBackground({ onFailure: (error) => void failures.push(error) });
  background.run(() => Promise.reject(new Error('later')));
  background.run(() => {
    throw new Error('at once');
  });
  await background.settled();
  expect(failures.map((error) => (error as Error).message).sort()).toEqual(['at once', 'later']);
});
