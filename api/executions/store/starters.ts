import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { StartedBy } from '#schemas/api/executions.ts';

interface StarterRow {
  readonly id: string;
  readonly triggerType: string;
  readonly startedBy: string | null;
  readonly parentId: string | null;
  readonly userId: string | null;
  readonly username: string | null;
  readonly keyLabel: string | null;
}

/** Triggers that a caller causes. Without a recorded caller, the starter is unknown. */
const BY_CALLER: ReadonlySet<string> = new Set(['api', 'cli', 'rerun', 'replay', 'dry-run']);

/**
 * Returns the starter of each execution; null if unknown, as for executions of earlier versions. Only their owners and
 * administrators can read the labels of keys.
 */
export async function readStarters(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StartedBy | null>> {
  const { rows } = await sql<StarterRow>`
    SELECT e.id, e.trigger_type, e.started_by, e.parent_id, users.id AS user_id, users.username, api_keys.label AS key_label
    FROM executions AS e
    LEFT JOIN api_keys ON e.started_by LIKE 'key:%' AND api_keys.key_id = substr(e.started_by, 5)
    LEFT JOIN users ON users.id = CASE WHEN e.started_by LIKE 'user:%' THEN substr(e.started_by, 6)::uuid ELSE api_keys.user_id END
    WHERE e.id = ANY(${[...ids]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, starterOf(row, viewer)]));
}

function starterOf(row: StarterRow, { administrator, userId: reader }: Viewer): StartedBy | null {
  const { triggerType, startedBy, parentId, userId, username, keyLabel } = row;
  const how = howOf(startedBy) ?? (BY_CALLER.has(triggerType) ? undefined : triggerType);
  if (how === undefined) return null;
  return {
    how,
    user: userId === null || username === null ? null : { id: userId, username },
    keyLabel: administrator || userId === reader ? keyLabel : null,
    executionId: parentId,
  };
}

function howOf(startedBy: string | null): string | undefined {
  if (startedBy === null) return undefined;
  if (startedBy.startsWith('user:')) return 'console';
  return startedBy.startsWith('key:') ? 'key' : startedBy;
}
