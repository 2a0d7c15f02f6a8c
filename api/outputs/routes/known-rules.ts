import type { z } from 'zod';
import { knownRuleIdSchema } from '#analytics/detections/rule-registry.ts';
import type { OutputFilter } from '#schemas/api/outputs.ts';

/** Validates that every rule in the filter of an output exists in this version. */
export function filterNamesKnownRules({
  value,
  issues,
}: z.core.ParsePayload<{ readonly filter?: OutputFilter | undefined }>): void {
  for (const [index, id] of (value.filter?.rules ?? []).entries()) {
    for (const issue of knownRuleIdSchema.safeParse(id).error?.issues ?? [])
      issues.push({ ...issue, path: ['filter', 'rules', index], input: id } as z.core.$ZodRawIssue);
  }
}
