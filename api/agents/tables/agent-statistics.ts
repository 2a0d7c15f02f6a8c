/** Counts of an agent's executions, kept by triggers; the sum over the shards is meant. */

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentStatistics: AgentStatisticsTable;
  }
}
export interface AgentStatisticsTable {
  agentId: string;
  shard: number;
  executions: number;
  /** Of them, those that ended. */
  finished: number;
  /** Of those, the ones that used a model and whose cost is unknown. */
  unpriced: number;
  /** Of those that ended, together. */
  durationMs: number;
  credits: number;
  lastExecutionAt: Date | null;
}
