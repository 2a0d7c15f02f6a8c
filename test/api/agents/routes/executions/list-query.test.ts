import { expect, test } from 'vitest';
import { listQuerySchema } from '#api/agents/routes/executions/list-query.ts';

test('examines no more executions than time permits, whatever the limit', () => {
  const scanned = (scanLimit?: string) => listQuerySchema.parse({ scanLimit }).scanLimit;
  expect(scanned()).toBe(5_000);
  expect(scanned('1')).toBe(1);
  expect(scanned('10000')).toBe(10_000);
  expect(scanned('100000')).toBe(10_000);
  for (const wrong of ['0', '100001', '-1', '1e3', '2.5', ''])
    expect(listQuerySchema.safeParse({ scanLimit: wrong }).success).toBe(false);
});
