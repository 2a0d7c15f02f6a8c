import { type RawBuilder, sql } from 'kysely';
import type { Claim, Lease } from './port.ts';

/** Parts of SQL that the tables with leases share. Each has the columns `epoch`, `lease_until`, `losses` and `alone`. */

export type LostLease = Pick<Lease, 'id' | 'epoch' | 'alone' | 'row'>;

/** When a lease that is claimed or renewed now expires. */
export function leaseUntil(leaseMs: number): RawBuilder<Date> {
  return sql`now() + ${leaseMs} * interval '1 millisecond'`;
}

/** The claims as rows of (id, epoch), for a join. */
export function claimRows(claims: readonly Claim[], idType: 'bigint' | 'text'): RawBuilder<unknown> {
  const ids = claims.map(({ id }) => id);
  const epochs = claims.map(({ epoch }) => epoch);
  return sql`unnest(${ids}::${sql.raw(idType)}[], ${epochs}::int[]) AS claim (id, epoch)`;
}

/** Leases that expired although their worker is alive, as rows of (id, epoch, alone, losses). `losses` are those of the claim. */
export function lostLeaseRows(leases: readonly LostLease[], idType: 'bigint' | 'text'): RawBuilder<unknown> {
  const ids = leases.map(({ id }) => id);
  const epochs = leases.map(({ epoch }) => epoch);
  const alone = leases.map((lease) => lease.alone);
  const losses = leases.map(({ row }) => row.losses);
  return sql`unnest(${ids}::${sql.raw(idType)}[], ${epochs}::int[], ${alone}::boolean[], ${losses}::int[]) AS claim (id, epoch, alone, losses)`;
}

/** Columns of a row whose lease was released. */
export const RELEASED = sql`lease_until = NULL, alone = false`;

/**
 * True when an expired lease counts as a death of its worker. `unavailableMsAgo`: leases that expired longer ago say nothing about their work; null: all
 * leases count.
 */
export function workerDied(unavailableMsAgo: number | null): RawBuilder<boolean> {
  return sql`(lease_until >= now() - ${unavailableMsAgo}::float8 * interval '1 millisecond') IS NOT FALSE`;
}

/** Columns of a row whose lease expired. `died`: see `workerDied`. */
export function expired(died: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`${RELEASED}, losses = losses + CASE WHEN ${died} THEN 1 ELSE 0 END`;
}
