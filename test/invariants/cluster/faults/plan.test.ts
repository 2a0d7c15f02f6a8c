import { expect, test } from 'vitest';
import { FAULT_KINDS, planFaults, type Target } from './plan.ts';

const target = (name: string, more: Partial<Target> = {}): Target => ({
  name,
  kind: name.replace(/-.*/, '') as Target['kind'],
  disk: false,
  clock: false,
  ...more,
});
const TARGETS = [
  target('kafka-1', { disk: true }),
  target('postgres-1', { disk: true }),
  target('redis-1'),
  target('api-1', { clock: true }),
  target('ingest-1', { clock: true }),
];
const planned = (seed: number, faults = 400) => planFaults({ seed, faults, kinds: FAULT_KINDS, targets: TARGETS });

test('the same seed gives the same faults, and another seed gives others', () => {
  expect(planned(7)).toEqual(planned(7));
  expect(planned(7)).not.toEqual(planned(8));
});

test('plans all kinds of faults, each for suitable processes', () => {
  const plan = planned(1);
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
  const targetsOf = (kind: string) =>
    new Set(plan.filter((fault) => fault.kind === kind).flatMap((fault) => fault.targets));
  expect(targetsOf('kill')).toEqual(new Set(TARGETS.map(({ name }) => name)));
  expect(targetsOf('fill')).toEqual(new Set(['kafka-1', 'postgres-1']));
  expect(targetsOf('clock')).toEqual(new Set(['api-1', 'ingest-1']));
  for (const { kind, targets } of plan) expect(new Set(targets).size).toBe(kind === 'cut' ? 2 : 1);
});

test('cuts the network only between processes that have connections to each other', () => {
  const cuts = planned(4).filter(({ kind }) => kind === 'cut');
  const pairs = new Set(cuts.map(({ targets }) => [...targets].sort().join(' ')));
  expect(pairs).toContain('api-1 redis-1');
  expect(pairs).not.toContain('api-1 ingest-1');
  expect(pairs).not.toContain('kafka-1 postgres-1');
});

test('plans a fail-over only for kills of PostgreSQL', () => {
  const plan = planned(2);
  const moved = plan.filter(({ failOver }) => failOver);
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.every(({ kind, targets }) => kind === 'kill' && targets[0] === 'postgres-1')).toBe(true);
});

test('plans only the selected kinds, and none if no process qualifies', () => {
  const kinds = ['fill', 'freeze'] as const;
  expect(new Set(planFaults({ seed: 1, faults: 50, kinds, targets: TARGETS }).map(({ kind }) => kind))).toEqual(
    new Set(kinds),
  );
  expect(planFaults({ seed: 1, faults: 50, kinds: ['clock'], targets: [target('redis-1')] })).toEqual([]);
});

test('half of the frozen processes stay frozen for 30 seconds', () => {
  const frozen = planned(3).filter(({ kind }) => kind === 'freeze');
  const long = frozen.filter(({ ms }) => ms === 30_000).length;
  expect(long / frozen.length).toBeGreaterThan(0.3);
  expect(long / frozen.length).toBeLessThan(0.7);
});
