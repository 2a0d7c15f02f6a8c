import type { Generated, Selectable } from 'kysely';

export const EXECUTION_FILE_KINDS = ['input', 'output', 'issues', 'trace', 'expected'] as const;
export type ExecutionFileKind = (typeof EXECUTION_FILE_KINDS)[number];

/** Files of an execution: what it was given, what it made, what is expected of it. */
export interface ExecutionFilesTable {
  executionId: string;
  kind: ExecutionFileKind;
  path: string;
  contentHash: string;
  size: number;
  contentType: string;
  createdAt: Generated<Date>;
}

export type ExecutionFile = Selectable<ExecutionFilesTable>;
