import { expect, test } from 'vitest';
import { atEnd, endAll } from './at-end.ts';

test('ends the last started first, one after the other, and continues after a failure', async () => {
  const ended: string[] = [];
  atEnd(() => ended.push('service'));
  atEnd(async () => {
    await Promise.resolve();
    throw new Error('away');
  });
  atEnd(async () => {
    await Promise.resolve();
    ended.push('client');
  });
  await expect(endAll()).rejects.toMatchObject({ errors: [{ message: 'away' }] });
  expect(ended).toEqual(['client', 'service']);
  await endAll();
  expect(ended).toHaveLength(2);
});
