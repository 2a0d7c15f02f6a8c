import { z } from 'zod';
import { boundsOf, TIME_BOUNDS } from '#api/executions/routes/time-bounds.ts';
import { parseMoment } from '#api/http/queries/moment.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import { queryFlag, queryIntegerOr } from '#api/http/queries/query-values.ts';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { EXECUTION_SECTIONS } from '../../records/agent-record.ts';
import type { AgentExecutionFilters, TimeBounds } from '../../tables/agent-execution-list.ts';
import { AGENT_EXECUTION_SORTS } from '../../tables/agent-execution-pages.ts';
import { FEEDBACK_RATINGS, FEEDBACK_STATUSES } from '../../tables/agent-executions.ts';
import { pageOf } from '../deps.ts';

const DEFAULT_SCAN = 5_000;
const MAX_ASKED = 100_000;
/**
 * Maximum number of executions to examine. It takes 5 ms of processor time if they are adjacent, and up to 30 ms if
 * they are scattered over a million rows.
 */
const MAX_SCANNED = 10_000;

const moment = (bound: 'lower' | 'upper', of: string) =>
  z
    .string()
    .max(100)
    .transform((text, context) => {
      const at = parseMoment(text, bound, Date.now());
      if (at !== undefined) return at;
      context.addIssue({
        code: 'custom',
        message: 'must be an ISO 8601 time, such as 2026-03-01T12:00:00Z, or now()-7d',
      });
      return z.NEVER;
    })
    .optional()
    .describe(`${of} not ${bound === 'lower' ? 'before' : 'after'} this; ISO 8601 or now()-7d`)
    .meta({ example: '2026-03-01T12:00:00Z' });
const presence = (what: string) => queryFlag().optional().describe(what).meta({ example: true });
const text = (what: string) => storableText(200).optional().describe(what).meta({ example: 'nginx' });

const statuses = z
  .string()
  .max(200)
  .transform((given) => given.split(',').map((status) => status.trim()))
  .pipe(z.array(z.enum(EXECUTION_STATUSES)).min(1))
  .optional()
  .describe('Only in this state; several joined by commas')
  .meta({ example: 'completed' });

/** Query string of the list of executions of an agent. */
export const listQuerySchema = z.strictObject({
  status: statuses,
  batchId: text('Only of this batch'),
  exampleName: text('Exactly this example'),
  exampleNameContains: text('Part of the name of the example; case does not matter'),
  ...TIME_BOUNDS,
  createdAfter: moment('lower', 'Created'),
  createdBefore: moment('upper', 'Created'),
  completedAfter: moment('lower', 'Completed'),
  completedBefore: moment('upper', 'Completed'),
  feedbackStatus: queryChoices(FEEDBACK_STATUSES).optional().describe('State of the feedback, or one of these'),
  feedbackRating: queryChoices([...FEEDBACK_RATINGS, 'none'])
    .optional()
    .describe('Rating, or one of these; none: without one'),
  hasFeedback: presence('With feedback, or without'),
  noFeedback: presence('The opposite of hasFeedback'),
  hasExpected: presence('Something is expected: JSON or files'),
  hasExpectedJson: presence('JSON is expected'),
  hasExpectedFiles: presence('Files are expected'),
  feedbackBodyContains: text('Part of the feedback; case does not matter'),
  feedbackCreatedAfter: moment('lower', 'Feedback began'),
  feedbackCreatedBefore: moment('upper', 'Feedback began'),
  feedbackUpdatedAfter: moment('lower', 'Feedback changed'),
  feedbackUpdatedBefore: moment('upper', 'Feedback changed'),
  feedbackResolvedAfter: moment('lower', 'Feedback resolved'),
  feedbackResolvedBefore: moment('upper', 'Feedback resolved'),
  promotedToExample: presence('Became an example'),
  promotedExampleName: text('Became this example'),
  sinceLastResolved: presence('Created after feedback of the agent was resolved last'),
  include: includeOf([...EXECUTION_SECTIONS, 'startedBy']),
  sort: z.enum(AGENT_EXECUTION_SORTS).default('createdAt').describe('Sort key'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Sort order'),
  scanLimit: queryIntegerOr(DEFAULT_SCAN, { min: 1, max: MAX_ASKED })
    .transform((asked) => Math.min(asked, MAX_SCANNED))
    .describe(
      'Maximum number of executions to examine with filters: 1 to 100,000, of which at most 10,000 are examined; default 5,000',
    )
    .meta({ example: 5000 }),
  ...pageOf(500),
});
export type ListQuery = z.output<typeof listQuerySchema>;

/**
 * Converts the query to filters of the store. Returns undefined if two of them exclude each other, so nothing can
 * match.
 */
export function filtersOf(query: ListQuery): AgentExecutionFilters | undefined {
  const { hasFeedback, noFeedback } = query;
  if (hasFeedback !== undefined && noFeedback !== undefined && hasFeedback === noFeedback) return undefined;
  return {
    statuses: query.status,
    batchId: query.batchId,
    exampleName: query.exampleName,
    exampleNameContains: query.exampleNameContains,
    created: createdOf(query),
    completed: bounds(query.completedAfter, query.completedBefore),
    feedbackStatus: query.feedbackStatus,
    feedbackRating: query.feedbackRating,
    hasFeedback: hasFeedback ?? (noFeedback === undefined ? undefined : !noFeedback),
    hasExpected: query.hasExpected,
    hasExpectedJson: query.hasExpectedJson,
    hasExpectedFiles: query.hasExpectedFiles,
    feedbackBodyContains: query.feedbackBodyContains,
    feedbackCreated: bounds(query.feedbackCreatedAfter, query.feedbackCreatedBefore),
    feedbackUpdated: bounds(query.feedbackUpdatedAfter, query.feedbackUpdatedBefore),
    feedbackResolved: bounds(query.feedbackResolvedAfter, query.feedbackResolvedBefore),
    promotedToExample: query.promotedToExample,
    promotedExampleName: query.promotedExampleName,
  };
}

function createdOf(query: ListQuery): TimeBounds | undefined {
  const names = ['createdAfter', 'createdBefore'] as const;
  const { from, to } = boundsOf(query, { names, from: query.createdAfter, to: query.createdBefore });
  return bounds(from, to);
}

function bounds(after: Date | undefined, before: Date | undefined): TimeBounds | undefined {
  return after === undefined && before === undefined ? undefined : { after, before };
}
