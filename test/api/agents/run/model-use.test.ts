import { describe, expect, test } from 'vitest';
import { priceOf } from '#api/agents/run/model-price.ts';
import { createModelUse } from '#api/agents/run/model-use.ts';

const limits = { tokens: 1000, credits: 1000 };
const PRICE = { input: 2e6, output: 10e6 };

describe('the use of a model', () => {
  test('prices cached input tokens separately', () => {
    const use = createModelUse({ ...PRICE, cachedInput: 0.5e6 }, limits);
    use.add({ inputTokens: 10, outputTokens: 3, inputTokenDetails: { cacheReadTokens: 4 } });
    expect(use.cost()).toEqual({
      inputTokens: 10,
      cachedInputTokens: 4,
      outputTokens: 3,
      totalTokens: 13,
      steps: 1,
      credits: 6 * 2 + 4 * 0.5 + 3 * 10,
    });
    const same = createModelUse(PRICE, limits);
    same.add({ inputTokens: 10, outputTokens: 3, inputTokenDetails: { cacheReadTokens: 4 } });
    expect(same.cost().credits).toBe(50);
  });

  test.each([
    ['no price', undefined],
    ['a price of input only', { input: 1 }],
    ['a price of output only', { output: 1 }],
  ])('%s: the cost is unknown, not zero', (_, price) => {
    const use = createModelUse(price, limits);
    use.add({ inputTokens: 1, outputTokens: 1 });
    expect(use.cost()).not.toHaveProperty('credits');
    expect(use.cost()).toMatchObject({ inputTokens: 1, outputTokens: 1 });
  });

  test('an endpoint without token counts: the cost is unknown', () => {
    const use = createModelUse(PRICE, limits);
    use.add({ inputTokens: 1, outputTokens: 1 });
    use.add({ inputTokens: undefined, outputTokens: undefined });
    expect(use.cost()).toEqual({ inputTokens: 1, outputTokens: 1, totalTokens: 2, steps: 2, unreportedSteps: 1 });
  });

  test('the known part of the cost can exceed the limit', () => {
    const use = createModelUse({ input: 1e6 }, { tokens: 100, credits: 5 });
    use.add({ inputTokens: 5, outputTokens: 1 });
    expect(use.exceeded()).toBe(undefined);
    use.add({ inputTokens: 1, outputTokens: 1 });
    expect(use.exceeded()).toBe('the run cost more than 5 credits');
  });
});

describe('the price of a model', () => {
  const prices = { house: PRICE };
  test.each([
    ['of the table', {}, 'house', PRICE],
    ['unknown to the table', {}, 'other', undefined],
    ['a name of every object', {}, 'constructor', undefined],
    ['of the configuration', { model: { creditsPerMillionInput: 1 } }, 'house', { input: 1 }],
    ['of another endpoint', { model: { baseUrl: 'https://models.example.org/v1' } }, 'house', undefined],
  ])('%s', (_, config, name, expected) => {
    expect(priceOf(config, name, prices)).toEqual(expected);
  });

  test('is unknown without a table', () => expect(priceOf({}, 'house', undefined)).toBe(undefined));
});
