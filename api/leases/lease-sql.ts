import { type RawBuilder, sql } from 'kysely';
import type { Claim, Lease } from './port.ts';

/** SQL shared by the tables with leases. Each has the columns `epoch`, `lease_until`, `losses` and `alone`. */

export type LostLease = Pick<Lease, 'id' | 'epoch' | 'alone' | 'row'>;

/** SQL: when a lease that is claimed or renewed now expires. */
export function leaseUntil(leaseMs: number): RawBuilder<Date> {
  return sql`now() + ${leaseMs} * interval '1 millisecond'`;
}

/** SQL: the claims as rows of (id, epoch), for a join. */
export function claimRows(claims: readonly Claim[], idType: 'bigint' | 'text'): RawBuilder<unknown> {
  const ids = claims.map(({ id }) => id);
  const epochs = claims.map(({ epoch }) => epoch);
  return sql`unnest(${ids}::${sql.raw(idType)}[], ${epochs}::int[]) AS claim (id, epoch)`;
}

/**
 * SQL: leases that expired although their worker is alive, as rows of (id, epoch, alone, losses). `losses` are those at
 * the time of the claim.
 */
export function lostLeaseRows(leases: readonly LostLease[], idType: 'bigint' | 'text'): RawBuilder<unknown> {
  const ids = leases.map(({ id }) => id);
  const epochs = leases.map(({ epoch }) => epoch);
  const alone = leases.map((lease) => lease.alone);
  const losses = leases.map(({ row }) => row.losses);
  return sql`unnest(${ids}::${sql.raw(idType)}[], ${epochs}::int[], ${alone}::boolean[], ${losses}::int[]) AS claim (id, epoch, alone, losses)`;
}

/** SQL: column changes of a row whose lease is released. */
export const RELEASED = sql`lease_until = NULL, alone = false`;

/**
 * SQL condition: an expired lease counts as a death of its worker. `unavailableMsAgo`: leases that expired longer ago
 * do not count, because of an outage; null: all leases count.
 */
export function workerDied(unavailableMsAgo: number | null): RawBuilder<boolean> {
  return sql`(lease_until >= now() - ${unavailableMsAgo}::float8 * interval '1 millisecond') IS NOT FALSE`;
}

/** SQL: column changes of a row whose lease has expired. `died`: see `workerDied`. */
export function expired(died: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`${RELEASED}, losses = losses + CASE WHEN ${died} THEN 1 ELSE 0 END`;
}
