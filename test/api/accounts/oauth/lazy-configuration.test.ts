import { Configuration } from 'openid-client';
import { describe, expect, test } from 'vitest';
import { createLazyConfiguration } from '#api/accounts/oauth/lazy-configuration.ts';

const HOUR = 60 * 60_000;

function clockwork() {
  let now = 0;
  const answers: (Configuration | Error)[] = [];
  let asked = 0;
  const configuration = createLazyConfiguration(
    async () => {
      asked += 1;
      const answer = answers.shift() ?? new Error('nothing to find');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => now,
  );
  return {
    configuration,
    answers,
    asked: () => asked,
    pass(ms: number) {
      now += ms;
    },
  };
}
const found = () => new Configuration({ issuer: 'https://idp.example' }, 'client');

describe('the result of discovery', () => {
  test('is fetched at first use, once for all waiting callers, and again after an hour', async () => {
    const { configuration, answers, asked, pass } = clockwork();
    const [first, second] = [found(), found()];
    answers.push(first, second);
    expect(asked()).toBe(0);
    expect(await Promise.all([configuration(), configuration()])).toEqual([first, first]);
    pass(HOUR - 1);
    expect(await configuration()).toBe(first);
    expect(asked()).toBe(1);
    pass(1);
    expect(await configuration()).toBe(second);
  });

  test('is fetched again one second after a failure', async () => {
    const { configuration, answers, asked, pass } = clockwork();
    answers.push(new Error('away'), found());
    await expect(configuration()).rejects.toThrow('away');
    await expect(configuration()).rejects.toThrow('away');
    expect(asked()).toBe(1);
    pass(1_000);
    expect(await configuration()).toBeInstanceOf(Configuration);
  });

  test('stays in use while the provider is unavailable', async () => {
    const { configuration, answers, asked, pass } = clockwork();
    const first = found();
    answers.push(first, new Error('away'), new Error('away'));
    await configuration();
    pass(HOUR);
    expect(await configuration()).toBe(first);
    expect(await configuration()).toBe(first);
    expect(asked()).toBe(2);
    pass(1_000);
    expect(await configuration()).toBe(first);
    expect(asked()).toBe(3);
  });
});
