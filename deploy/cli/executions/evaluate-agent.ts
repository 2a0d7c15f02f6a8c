import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConnection } from '../server-connection.ts';
import { agentPath } from './api-paths.ts';

/** The response of `GET /api/v1/agents/{id}/evaluations/{batchId}`. */
export interface EvaluationResult {
  readonly batchId: string;
  readonly total: number;
  readonly open: number;
  readonly passed: number;
  readonly failed: number;
  readonly notCompared: number;
  readonly executions: readonly {
    readonly executionId: string;
    readonly exampleName: string;
    readonly status: string;
    readonly evaluation: {
      readonly passed: boolean;
      readonly differences: readonly { readonly path: string; readonly message: string }[];
    } | null;
  }[];
}

const PAUSE_MS = 500;

/**
 * Runs an agent on its examples and waits until all have ended, or for the given number of seconds. The same batch id
 * refers to the same evaluation.
 */
export async function evaluateAgent(
  server: ServerConnection,
  slug: string,
  { batchId, examples, seconds }: { batchId: string | undefined; examples: readonly string[]; seconds: number },
): Promise<EvaluationResult> {
  const body = {
    ...(batchId === undefined ? {} : { batchId }),
    ...(examples.length === 0 ? {} : { examples }),
  };
  const headers = { 'content-type': 'application/json' };
  const begun = await server.request(agentPath(slug, '/evaluations'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { batchId: batch } = (await begun.json()) as { batchId: string };
  const path = agentPath(slug, `/evaluations/${encodeURIComponent(batch)}`);
  for (const deadline = Date.now() + seconds * 1_000; ; await pause(PAUSE_MS)) {
    const result = (await (await server.request(path)).json()) as EvaluationResult;
    if (result.open === 0 || Date.now() > deadline) return result;
  }
}
