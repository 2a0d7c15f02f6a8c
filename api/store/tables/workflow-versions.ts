import type { ColumnType, Selectable } from 'kysely';

/** Released versions; the database refuses every change of them. */
export interface WorkflowVersionsTable {
  /** `wfh_…` */
  id: ColumnType<string, string, never>;
  workflowId: ColumnType<string, string, never>;
  /** 1, 2, 3 … of its workflow, in the order of release. */
  number: ColumnType<number, number, never>;
  /** What people call it; unique in its workflow. */
  tag: ColumnType<string, string, never>;
  /** As it was sent. */
  yamlContent: ColumnType<string, string, never>;
  /** What was read from the YAML, JSON. */
  definition: ColumnType<Record<string, unknown>, string, never>;
  /** SHA-256 of the YAML, hexadecimal. */
  contentHash: ColumnType<string, string, never>;
  notes: ColumnType<string | null, string | null, never>;
  /** See `actorOf`. */
  createdBy: ColumnType<string, string, never>;
  createdAt: ColumnType<Date, never, never>;
}

export type WorkflowVersion = Selectable<WorkflowVersionsTable>;
