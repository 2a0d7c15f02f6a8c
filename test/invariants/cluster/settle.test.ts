import { expect, test } from 'vitest';
import { settle } from './settle.ts';

/** Returns the answers one after another, then repeats the last one. Each call advances the clock by one second. */
function answering(...answers: readonly (number | Error)[]) {
  let asked = 0;
  return {
    everyMs: 0,
    now: () => asked * 1000,
    left: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    get asked() {
      return asked;
    },
  };
}

test('waits while the remaining number decreases', async () => {
  const slow = answering(9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 0);
  await settle('all', { ...slow, stalledMs: 2000 });
  expect(slow.asked).toBe(11);
});

test('gives up without progress, also when the number goes up and down', async () => {
  const waiting = settle('all records', { ...answering(5, 7, 6, 5, 7, 6, 5, 7, 6, 5), stalledMs: 6000 });
  await expect(waiting).rejects.toThrow('no progress for 6000 ms while waiting for all records: 5 are left');
});

test('repeats a failed query, and reports its error if all queries fail', async () => {
  const broken = new Error('the connection broke');
  await settle('all', { ...answering(broken, 3, broken, 0), stalledMs: 3000 });
  const never = settle('all', { ...answering(broken), stalledMs: 3000 });
  await expect(never).rejects.toMatchObject({ message: expect.stringContaining('no answer'), cause: broken });
});
