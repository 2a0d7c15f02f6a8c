import { expect, test } from 'vitest';
import type { Actor } from '../actor.ts';
import { createLocks } from './locks.ts';

const actor = (name: string) => ({ name, kind: name.replace(/-.*/, '') }) as Actor;

test('serializes faults of the same process, or of both PostgreSQL servers', async () => {
  const locks = createLocks();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  const step = (name: string, until: Promise<void>) => async () => {
    done.push(`${name} begins`);
    await until;
    done.push(`${name} ends`);
  };
  const all = [
    locks.holding([actor('postgres-1')], step('first', first.promise)),
    locks.holding([actor('postgres-2'), actor('api-1')], step('second', Promise.resolve())),
    locks.holding([actor('redis-1')], step('other', other.promise)),
  ];
  expect(locks.isFree(actor('postgres-2'))).toBe(false);
  expect(locks.isFree(actor('api-1'))).toBe(true);
  other.resolve();
  await all[2];
  first.resolve();
  await Promise.all(all);
  expect(done).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
  expect(locks.isFree(actor('postgres-1'))).toBe(true);
});

test('a failed fault does not block the next', async () => {
  const locks = createLocks();
  const failing = locks.holding([actor('kafka-1')], () => Promise.reject(new Error('no broker')));
  const next = locks.holding([actor('kafka-1')], () => Promise.resolve('served'));
  await expect(failing).rejects.toThrow('no broker');
  expect(await next).toBe('served');
});
