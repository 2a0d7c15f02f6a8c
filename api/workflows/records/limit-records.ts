import type { z } from 'zod';
import type { WaitingStart } from '#api/executions/limits/waiting.ts';
import type { pauseSchema, waitsForSchema } from '#schemas/api/workflow-limits.ts';
import type { Workflow } from '../tables/workflows.ts';

export function pauseRecord(
  workflow: Pick<Workflow, 'pausedAt' | 'pausedBy' | 'pauseReason'>,
): z.input<typeof pauseSchema> | null {
  const { pausedAt, pausedBy, pauseReason } = workflow;
  return pausedAt === null ? null : { at: pausedAt.toISOString(), by: pausedBy ?? '', reason: pauseReason };
}

export function waitRecord({ until, merged, ...rest }: WaitingStart): z.input<typeof waitsForSchema> {
  return { ...rest, until: until?.toISOString() ?? null, mergedStarts: merged };
}
