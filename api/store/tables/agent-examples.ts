import type { ColumnType, Generated, Selectable } from 'kysely';
import type { JsonValue } from '../../executions/json-value.ts';

/** An example of the dataset of an agent: an input, and what is expected of it. */
export interface AgentExamplesTable {
  /** `awx_…` */
  id: string;
  agentId: string;
  /** Unique in its agent. */
  name: string;
  input: ColumnType<JsonValue, string, string>;
  expected: ColumnType<JsonValue, string | null, string | null>;
  /** The execution it was made of, if it was. */
  sourceExecutionId: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export interface AgentExampleFilesTable {
  exampleId: string;
  kind: 'input' | 'expected';
  path: string;
  contentHash: string;
  size: number;
  contentType: string;
}

export type AgentExample = Selectable<AgentExamplesTable>;
