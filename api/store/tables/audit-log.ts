import type { ColumnType, Selectable } from 'kysely';

/** Append-only: the database refuses UPDATE, DELETE and TRUNCATE. Each row's hash covers the row before it. */
export interface AuditLogTable {
  /** 1, 2, 3 … without a gap. */
  id: number;
  at: Date;
  /** Who: `user:<id>`, `key:<keyId>`, `operator`, `system` or `anonymous`. */
  actor: string;
  /** On what: `user:<id>`, `key:<keyId>`, `rule:<id>` … */
  target: string;
  action: string;
  /** `{field: {before, after}}`; secrets are `[redacted]`. */
  diff: ColumnType<Record<string, unknown>, string, never>;
  ip: string;
  userAgent: string;
  requestId: string;
  previousHash: Buffer;
  hash: Buffer;
}

export type AuditRow = Selectable<AuditLogTable>;
