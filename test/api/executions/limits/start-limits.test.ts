import { expect, test } from 'vitest';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import { ExpressionError, ExpressionsBusyError } from '#api/executions/expressions/expression-error.ts';
import { evaluateLimits, priorityOf, shortKey } from '#api/executions/limits/start-limits.ts';

const start = { workflowId: 'wf_1', versionId: 'wfh_1', ownerId: null, triggerType: 'api', input: { host: 'web' } };
/** Yields the input, or fails as the expression demands. */
const evaluate: EvaluateFor = async (expression, input) => {
  if (expression === 'fails') throw new ExpressionError('no');
  if (expression === 'busy') throw new ExpressionsBusyError('full');
  return input;
};

test('keys are the JSON of their expressions; a limit without a key has one for all', async () => {
  const limits = { concurrency: { max: 1, key: '.' }, throttle: { max: 1, periodMs: 1_000 } };
  expect(await evaluateLimits(limits, start, evaluate)).toEqual({
    slotKey: '{"host":"web"}',
    rateKey: 'all',
    priority: undefined,
    gather: undefined,
  });
});

test('a failing key expression is the key null; a busy evaluator rejects the start', async () => {
  expect((await evaluateLimits({ concurrency: { max: 1, key: 'fails' } }, start, evaluate))?.slotKey).toBe('null');
  await expect(evaluateLimits({ concurrency: { max: 1, key: 'busy' } }, start, evaluate)).rejects.toThrow('full');
});

test('does not merge starts of different owners', async () => {
  const limits = { debounce: { periodMs: 1_000, maxDelayMs: 10_000 } };
  const keys = ['11111111-1111-4111-8111-111111111111', null].map(
    async (ownerId) => (await evaluateLimits(limits, { ...start, ownerId }, evaluate))?.gather?.mergeKey,
  );
  expect(new Set(await Promise.all(keys)).size).toBe(2);
});

test('a dry run has no limits, nor has a version that declares none on starts', async () => {
  const limits = { concurrency: { max: 1 } };
  expect(await evaluateLimits(limits, { ...start, triggerType: DRY_RUN }, evaluate)).toBeUndefined();
  expect(await evaluateLimits({ retentionMs: 3_600_000 }, start, evaluate)).toBeUndefined();
});

test('an evaluated priority is a whole number from -100 to 0, and 0 for anything else', () => {
  expect([-7.9, -1_000, 5, 'high', null].map(priorityOf)).toEqual([-7, -100, 0, 0, 0]);
});

test('a long key is stored as its hash, and no short key equals it', () => {
  expect(shortKey('web')).toBe('"web"');
  expect(shortKey('x'.repeat(500))).toMatch(/^sha256:[0-9a-f]{64}$/);
});
