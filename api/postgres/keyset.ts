import { type RawBuilder, sql } from 'kysely';

/** Position in a list that is sorted by creation time, then id: the key of the last row of a page. */
export type CreatedKey = readonly [createdAt: Date, id: string];

/** Condition for the rows of later pages of a list whose newest row is first. */
export function createdBefore([createdAt, id]: CreatedKey): RawBuilder<boolean> {
  return sql<boolean>`(created_at, id) < (${createdAt}, ${id})`;
}

/** Condition for the rows of later pages of a list whose oldest row is first. */
export function createdAfter([createdAt, id]: CreatedKey): RawBuilder<boolean> {
  return sql<boolean>`(created_at, id) > (${createdAt}, ${id})`;
}
