import { z } from 'zod';
import { EXECUTION_STATUSES } from './execution-status.ts';
import { instantSchema } from './instant.ts';

/** Maximum number of executions per bulk action. */
export const MAX_BULK = 10_000;

export const bulkActionKindSchema = z.enum(['cancel', 'replay']);
const status = z.enum(EXECUTION_STATUSES);

const filters = {
  statuses: z
    .array(status)
    .min(1)
    .optional()
    .describe('cancel: unfinished statuses, default all of them. replay: finished statuses, default failed'),
  from: instantSchema.optional().describe('created at or after this time'),
  to: instantSchema.optional().describe('created at or before this time'),
};

/** Request body of `bulk-actions` and `bulk-actions/count`. */
export const bulkActionBodySchema = z.strictObject({
  action: bulkActionKindSchema,
  ...filters,
  version: z
    .enum(['latest', 'same'])
    .optional()
    .describe('replay: the current version (default), or the version of the original execution'),
  expected: z
    .int()
    .min(0)
    .optional()
    .describe(
      'number of executions that the user confirmed. If more executions match now, the server changes nothing and responds with 400',
    ),
});

export const bulkCountSchema = z.object({
  count: z.int().describe(`executions that the filter chooses, counted up to ${MAX_BULK + 1}`),
  max: z.int().describe('maximum number of executions for a bulk action'),
});

export const bulkActionSchema = z.object({
  id: z.string().describe('bulk_…'),
  action: bulkActionKindSchema,
  filters: z.object(filters),
  version: z.enum(['latest', 'same']).optional(),
  by: z.string().describe('actor that started the bulk action, as in the audit log'),
  status: z.enum(['running', 'stopping', 'stopped', 'completed']),
  total: z.int(),
  done: z.int(),
  skipped: z
    .int()
    .describe(
      'cancel: number of executions that had already ended. replay: number of executions that could not be started, or are dry runs',
    ),
  problem: z.string().nullable().describe('reason for the most recently skipped execution'),
  createdAt: instantSchema,
  endedAt: instantSchema.nullable(),
});

export const bulkActionListSchema = z.object({ data: z.array(bulkActionSchema).describe('the 20 most recent') });
