import type { z } from 'zod';
import type { executionStepSchema } from '#schemas/api/executions.ts';
import type { ExecutionStep } from '../tables/execution-steps.ts';

type StepRecord = z.input<typeof executionStepSchema>;

/** Returns the record of a step without payloads that are in files. */
export function stepRecord(step: ExecutionStep): StepRecord {
  const { input, inputFile, output, outputFile } = step;
  return {
    step: step.step,
    name: step.name,
    kind: step.kind,
    status: step.status,
    attempt: step.attempt,
    ...(input === null || inputFile !== null ? {} : { input }),
    ...((output === null && step.status !== 'completed') || outputFile !== null ? {} : { output }),
    ...(step.error === null ? {} : { error: step.error }),
    startedAt: step.startedAt.toISOString(),
    ...(step.endedAt === null ? {} : { completedAt: step.endedAt.toISOString() }),
    ...durationOf(step.startedAt, step.endedAt),
  };
}

/** Returns the duration in whole milliseconds, at least 0. Returns no member if start or end is missing. */
export function durationOf(startedAt: Date | null, endedAt: Date | null): { readonly durationMs?: number } {
  return startedAt === null || endedAt === null
    ? {}
    : { durationMs: Math.max(0, Math.round(endedAt.getTime() - startedAt.getTime())) };
}
