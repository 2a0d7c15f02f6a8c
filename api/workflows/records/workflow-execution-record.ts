import type { z } from 'zod';
import type { JsonValue } from '#api/executions/json-value.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import { durationOf } from '#api/executions/records/step-record.ts';
import type { listedExecutionSchema, workflowExecutionSchema } from '#schemas/api/executions.ts';
import type { WorkflowExecution } from '../tables/workflow-executions.ts';

/** Returns an execution for lists. Unknown values are absent, because existing clients reject null. */
export function listedExecutionRecord(row: WorkflowExecution): z.input<typeof listedExecutionSchema> {
  const { startedAt, completedAt, triggerInput, result } = row;
  return {
    id: row.id,
    workflowId: row.workflowId,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    triggerType: row.triggerType,
    ...(triggerInput === null ? {} : { triggerInput }),
    ...(row.status === 'completed' && (result !== null || row.resultFile === null) && !row.resultLeftOut
      ? { result }
      : {}),
    ...(row.error === null ? {} : { error: errorText(row.error) }),
    ...(startedAt === null ? {} : { startedAt: startedAt.toISOString() }),
    ...(completedAt === null ? {} : { completedAt: completedAt.toISOString() }),
    ...durationOf(startedAt, completedAt),
    workflow: row.slug === null ? null : { id: row.workflowId, name: row.slug },
  };
}

/** Returns one execution with payloads from files, without its steps. */
export async function workflowExecutionRecord(
  row: WorkflowExecution,
  payloads: PayloadStore | undefined,
): Promise<z.input<typeof workflowExecutionSchema>> {
  const [triggerInput, result] = await Promise.all([
    readPayload(payloads, row.triggerInput, row.triggerInputFile),
    readPayload(payloads, row.result, row.resultFile),
  ]);
  const whole = { ...row, triggerInput, result, triggerInputFile: null, resultFile: null };
  return {
    ...listedExecutionRecord(whole),
    executionId: row.id,
  };
}

/** Formats an error of the workflow language in one sentence. */
export function errorText(error: JsonValue): string {
  if (error === null || typeof error !== 'object' || Array.isArray(error)) return String(error);
  const { title, detail, type } = error as { readonly [name: string]: JsonValue | undefined };
  const parts = [title, detail].filter((part) => typeof part === 'string' && part !== '');
  return parts.length > 0 ? parts.join(': ') : typeof type === 'string' ? type : 'failed';
}
