import { z } from 'zod';
import { EXECUTION_STATUSES } from './execution-status.ts';

/** Maximum number of executions per bulk action. */
export const MAX_BULK = 10_000;

export const bulkActionKindSchema = z.enum(['cancel', 'replay']);
const instant = z.iso.datetime().describe('RFC 3339').meta({ example: '2026-03-01T12:00:00.000Z' });
const status = z.enum(EXECUTION_STATUSES);

const filters = {
  statuses: z
    .array(status)
    .min(1)
    .optional()
    .describe(
      'of cancel: those that have not ended, by default all of them; of replay: those that have, by default failed',
    ),
  from: instant.optional().describe('created then or later'),
  to: instant.optional().describe('created then or before'),
};

/** Request body of `bulk-actions` and `bulk-actions/count`. */
export const bulkActionBodySchema = z.strictObject({
  action: bulkActionKindSchema,
  ...filters,
  version: z
    .enum(['latest', 'same'])
    .optional()
    .describe('of replay: the current version, or the one that the execution had; by default the current one'),
  expected: z
    .int()
    .min(0)
    .optional()
    .describe('count that was confirmed; when there are more executions now, nothing is done and the answer is a 400'),
});

export const bulkCountSchema = z.object({
  count: z.int().describe(`executions that the filter chooses, counted up to ${MAX_BULK + 1}`),
  max: z.int().describe('executions of one bulk action at most'),
});

export const bulkActionSchema = z.object({
  id: z.string().describe('bulk_…'),
  action: bulkActionKindSchema,
  filters: z.object(filters),
  version: z.enum(['latest', 'same']).optional(),
  by: z.string().describe('who started it, as in the audit log'),
  status: z.enum(['running', 'stopping', 'stopped', 'completed']),
  total: z.int(),
  done: z.int(),
  skipped: z.int().describe('of cancel: had ended before; of replay: could not be started, or are dry runs'),
  problem: z.string().nullable().describe('why the last one that was skipped could not be started'),
  createdAt: instant,
  endedAt: instant.nullable(),
});

export const bulkActionListSchema = z.object({ data: z.array(bulkActionSchema).describe('the newest 20') });
