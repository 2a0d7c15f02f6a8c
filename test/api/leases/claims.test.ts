import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createClaims } from '#api/leases/claims.ts';
import { createLeaseSet } from '#api/leases/lease-set.ts';
import type { ClaimedRow } from '#api/leases/port.ts';
import { waitFor } from '#test/support/wait-for.ts';

const rowOf = (id: string): ClaimedRow<string> => ({ id, epoch: 1, losses: 0 });

/** Claims of a worker with three slots, and the number of rows that each claim requested. */
function threeSlots(due: string[]) {
  const logger = pino({ level: 'silent' });
  const asked: number[] = [];
  const facts = () => ({});
  const held = createLeaseSet<ClaimedRow<string>>(
    { name: 'rows', logger, work: { facts, groupOf: () => 'all', renew: async () => new Map() } },
    { leaseMs: 1_000 },
  );
  const work = {
    facts,
    claim(counts: ReadonlyMap<string, number>) {
      const free = 3 - (counts.get('all') ?? 0);
      if (free === 0) return undefined;
      return async () => {
        asked.push(free);
        const rows = due.splice(0, free).map(rowOf);
        return { rows, more: rows.length === free, empty: rows.length < free };
      };
    },
    claimSuspect: async () => undefined,
    endAlone: async () => undefined,
  };
  const attempt = <T>(query: () => Promise<T>): Promise<T | undefined> => query();
  const claims = createClaims<ClaimedRow<string>>(
    { name: 'rows', work, held, attempt, logger, isolationGate: undefined, onClaimed: () => {} },
    { pollMs: 1_000 },
  );
  return { claims, held, asked };
}

test('claims slots that become free in one turn of the event loop together', async () => {
  const { claims, held, asked } = threeSlots(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  claims.claim();
  await nextTurn();
  expect(held.all().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  for (const lease of held.all()) {
    held.remove(lease);
    claims.freed(false);
  }
  await nextTurn();
  await nextTurn();
  expect(held.all().map(({ id }) => id)).toEqual(['d', 'e', 'f']);
  expect(asked).toEqual([3, 3]);
  await claims.stop();
});

test('does not claim for a free slot when nothing was left, unless its row is due again', async () => {
  const { claims, held, asked } = threeSlots(['a']);
  claims.claim();
  await nextTurn();
  const [lease] = held.all();
  if (lease !== undefined) held.remove(lease);
  claims.freed(false);
  await nextTurn();
  expect(asked).toEqual([3]);
  claims.freed(true);
  await nextTurn();
  expect(asked).toEqual([3, 3]);
  await claims.stop();
});

test('claims nothing during a pause, and claims at its end', async () => {
  const { claims, held, asked } = threeSlots(['a', 'b']);
  claims.pause(50);
  claims.claim();
  claims.freed(true);
  await nextTurn();
  await nextTurn();
  expect(asked).toEqual([]);
  await waitFor('the end of the pause', () => held.all().length === 2);
  expect(asked).toEqual([3]);
  await claims.stop();
});
