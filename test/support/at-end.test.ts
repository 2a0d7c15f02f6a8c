import { expect, test } from 'vitest';
import { atEnd, endAll } from './at-end.ts';

test('what was begun last ends first, one after the other, and one that fails keeps none from it', async () => {
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
