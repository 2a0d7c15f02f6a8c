import { expect, it } from 'vitest';
import { spreadPartitions } from '#ingest/threads/spread-partitions.ts';

const spread = (wanted: readonly string[], homes: Readonly<Record<string, number>>, threads: number) =>
  Object.fromEntries(spreadPartitions(wanted, new Map(Object.entries(homes)), threads));

it('gives every thread about as many partitions', () => {
  expect(spread(['e/0', 'e/2', 'e/4', 'e/6', 'e/8'], {}, 2)).toEqual({
    'e/0': 0,
    'e/2': 1,
    'e/4': 0,
    'e/6': 1,
    'e/8': 0,
  });
});

it('keeps a partition in its thread, and forgets revoked ones', () => {
  expect(spread(['e/1', 'e/2', 'e/3'], { 'e/0': 0, 'e/1': 1, 'e/2': 1 }, 2)).toEqual({ 'e/1': 1, 'e/2': 1, 'e/3': 0 });
});
