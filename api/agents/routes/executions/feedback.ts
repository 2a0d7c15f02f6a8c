import { z } from 'zod';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { feedbackDetailSchema } from '#schemas/api/agents.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { expectedFileRecords, feedbackRecord } from '../../records/agent-record.ts';
import type { Reviewed } from '../../review.ts';
import { FEEDBACK_RATINGS, FEEDBACK_STATUSES } from '../../tables/agent-executions.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, executionParams, READ, RUN, requesterOf } from '../deps.ts';

const body = storableText(20_000, 0);
const rating = z.enum(FEEDBACK_RATINGS).nullable();
const status = z.enum(FEEDBACK_STATUSES);
const changeSchema = z
  .strictObject({
    body: body.describe('Feedback text').optional(),
    rating: rating.describe('null: none').optional(),
    status: status.optional(),
    expected: z.unknown().describe('Expected output, JSON; null removes it').optional(),
    feedback: body.describe('Alias of `body`').optional(),
    feedbackRating: rating.describe('Alias of `rating`').optional(),
    feedbackStatus: status.describe('Alias of `status`').optional(),
  })
  .meta({ example: { rating: 'fail', body: 'missed the second host' } });

/** GET, PATCH, DELETE /api/v1/agents/executions/:executionId/feedback. */
export function feedbackRoutes(app: ApiServer, { review }: AgentRouteDeps): void {
  const path = '/api/v1/agents/executions/:executionId/feedback';
  const common = { tags: AGENT_TAGS, params: executionParams };
  const response = { 200: feedbackDetailSchema.describe('Feedback and expectations.'), ...AGENT_ERRORS };

  app.get(
    path,
    {
      config: READ,
      schema: {
        operationId: 'getAgentFeedback',
        summary: 'Read feedback',
        description: 'Null if there was never any feedback.',
        ...common,
        response,
      },
    },
    async (request) => detailOf(await review.read(requesterOf(request), request.params.executionId)),
  );

  app.patch(
    path,
    {
      config: RUN,
      schema: {
        operationId: 'giveAgentFeedback',
        summary: 'Give feedback',
        description:
          'Omitted fields are unchanged. New feedback is open. The service records the user who resolves it.',
        ...common,
        body: changeSchema,
        response,
      },
    },
    async (request) => {
      const given = request.body;
      const change = {
        body: given.body ?? given.feedback,
        rating: given.rating === undefined ? given.feedbackRating : given.rating,
        status: given.status ?? given.feedbackStatus,
        expected: given.expected as JsonValue | undefined,
      };
      return detailOf(await review.change(requesterOf(request), request.params.executionId, change));
    },
  );

  app.delete(
    path,
    {
      config: RUN,
      schema: {
        operationId: 'deleteAgentFeedback',
        summary: 'Delete feedback',
        description: 'Also deletes the expected output and files.',
        ...common,
        response,
      },
    },
    async (request) => detailOf(await review.clear(requesterOf(request), request.params.executionId)),
  );
}

function detailOf({ execution, expectedFiles }: Reviewed): z.input<typeof feedbackDetailSchema> {
  return {
    feedback: feedbackRecord(execution),
    expected: execution.expected,
    expectedFiles: expectedFileRecords(expectedFiles),
  };
}
