import { expect, test } from 'vitest';
import { createFairQueue } from '#api/threads/fair-queue.ts';

const all = () => true;

test('keys take turns, and items of one key keep their order', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
  expect(queue.sizeOf('a')).toBe(3);
  const taken = Array.from({ length: 6 }, () => queue.take(all));
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queue.take(all)).toBeUndefined();
  expect(queue.size).toBe(0);
});

test('a key whose item is not accepted keeps its queue position', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'b1', 'b2']) queue.push(item.slice(0, 1), item);
  expect(queue.take((_item, key) => key !== 'a')).toBe('b1');
  expect(queue.take(all)).toBe('a1');
  expect(queue.take(() => false)).toBeUndefined();
  expect(queue.size).toBe(1);
});

test('an item can leave, and all items can', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.slice(0, 1), item);
  queue.remove('a', 'a1');
  queue.remove('a', 'a1');
  queue.remove('c', 'c1');
  expect(queue.size).toBe(2);
  expect(queue.drain()).toEqual(['a2', 'b1']);
  expect(queue.size).toBe(0);
  expect(queue.take(all)).toBeUndefined();
});
