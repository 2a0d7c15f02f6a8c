import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { StartedBy } from '#schemas/api/executions.ts';
import { readStarters } from '../store/starters.ts';

/** Optional fields that a request includes, in addition to those that all clients receive. */
export type ExecutionParts = Pick<ReadonlySet<string>, 'has'> | undefined;

/**
 * Adds `startedBy` to records of executions if the request includes it. It is optional because strict clients reject
 * unknown fields.
 */
export async function withStarters<One extends { readonly id: string }>(
  db: Db,
  viewer: Viewer,
  records: readonly One[],
  include: ExecutionParts,
): Promise<(One & { startedBy?: StartedBy | null })[]> {
  if (include?.has('startedBy') !== true || records.length === 0) return [...records];
  const ids = records.map(({ id }) => id);
  const starters = await readStarters(db, viewer, ids);
  return records.map((record) => ({ ...record, startedBy: starters.get(record.id) ?? null }));
}
