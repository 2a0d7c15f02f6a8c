/** Counts of executions of an agent, maintained by triggers in shards. Readers must sum over the shards. */

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentStatistics: AgentStatisticsTable;
  }
}
export interface AgentStatisticsTable {
  agentId: string;
  shard: number;
  executions: number;
  /** Number of ended executions. */
  finished: number;
  /** Number of ended executions that used a model and whose cost is unknown. */
  unpriced: number;
  /** Total duration of the ended executions. */
  durationMs: number;
  credits: number;
  lastExecutionAt: Date | null;
}
