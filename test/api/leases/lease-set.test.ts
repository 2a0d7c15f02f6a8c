import { pino } from 'pino';
import { expect, test } from 'vitest';
import { answersByLease, createLeaseSet } from '#api/leases/lease-set.ts';
import { type Claim, type ClaimedRow, LeaseLost } from '#api/leases/port.ts';

interface Row extends ClaimedRow<string> {
  readonly queue: string;
}
const rowOf = (id: string, epoch = 1): Row => ({ id, epoch, losses: 0, queue: 'q' });

/** `valid`: the claims that PostgreSQL would return. */
function heldLeases(valid: () => readonly Claim[], renewed = true) {
  return createLeaseSet<Row>(
    {
      name: 'rows',
      logger: pino({ level: 'silent' }),
      work: {
        facts: ({ id }) => ({ id }),
        groupOf: ({ queue }) => queue,
        renew: async (leases) =>
          answersByLease(
            leases,
            valid().map((claim) => ({ ...claim, renewed })),
          ),
      },
    },
    { leaseMs: 1_000 },
  );
}

test('a lease missing from the response is lost, and the others are extended', async () => {
  const held = heldLeases(() => [{ id: 'a', epoch: 1 }]);
  const asked = performance.now() - 500;
  const [a, b] = [held.add(rowOf('a'), asked), held.add(rowOf('b'), asked)];
  await held.renew();
  expect(a.abort.signal.aborted).toBe(false);
  expect(a.leaseEnds).toBeGreaterThan(asked + 1_000);
  expect(b.abort.signal.reason).toBeInstanceOf(LeaseLost);
  expect(held.all()).toEqual([a]);
});

test('a row that was lost and claimed again keeps its new lease', async () => {
  const held = heldLeases(() => [{ id: 'a', epoch: 2 }]);
  const old = held.add(rowOf('a', 1), performance.now());
  const current = held.add(rowOf('a', 2), performance.now());
  await held.renew();
  expect(old.abort.signal.aborted).toBe(true);
  expect(current.abort.signal.aborted).toBe(false);
  expect(held.get('a')).toBe(current);
  expect(held.countByGroup()).toEqual(new Map([['q', 1]]));
});

test('a lease whose row is locked is valid until it expires, and then lost', async () => {
  const held = heldLeases(() => [{ id: 'a', epoch: 1 }], false);
  const asked = performance.now() - 500;
  const lease = held.add(rowOf('a'), asked);
  await held.renew();
  expect(lease.leaseEnds).toBe(asked + 1_000);
  held.loseExpired();
  expect(lease.abort.signal.aborted).toBe(false);
  lease.leaseEnds = performance.now() - 1;
  held.loseExpired();
  expect(lease.abort.signal.reason).toBeInstanceOf(LeaseLost);
});

test('does not abort while an outcome is being written', async () => {
  const held = heldLeases(() => []);
  const lease = held.add(rowOf('a'), performance.now() - 5_000);
  lease.settled = true;
  held.loseExpired();
  await held.renew();
  expect(lease.abort.signal.aborted).toBe(false);
});
