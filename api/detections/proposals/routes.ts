import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  detectionIdSchema,
  newProposalSchema,
  PROPOSAL_STATES,
  proposalIdSchema,
  proposalSchema,
} from '#schemas/api/detections.ts';
import { listProposals, type ProposalRow } from '../tables/detection-proposals.ts';
import { NoSuchAnalyst } from '../triage/change-decisions.ts';
import { byOf } from '../triage/request-of-change.ts';
import { ProposalRefused, type Proposals } from './proposals.ts';

export interface ProposalRoutesDeps {
  readonly database: Database;
  readonly proposals: Proposals;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const PROPOSE = { access: { by: 'key-or-session', scope: 'detections:propose', or: 'detections:write' } } as const;
const DECIDE = { access: { by: 'key-or-session', scope: 'detections:write' } } as const;
const tags = ['detection service'];
const ofDetection = z.strictObject({ id: detectionIdSchema });
const ofProposal = z.strictObject({ id: detectionIdSchema, proposal: proposalIdSchema });
const SHOWN = 100;

/**
 * Proposals for the decision about a detection: GET and POST /api/detections/{id}/proposals; POST …/{proposal}/accept
 * and …/decline.
 * Long: each route includes its description.
 */
export function proposalRoutes(app: ApiServer, { database, proposals }: ProposalRoutesDeps): void {
  app.get(
    '/api/detections/:id/proposals',
    {
      config: READ,
      schema: {
        operationId: 'listProposals',
        summary: 'List proposals for a detection',
        description:
          'Changes that assistants propose, newest first, at most 100. Nothing changes until an analyst accepts a proposal.',
        tags,
        params: ofDetection,
        querystring: z.strictObject({
          state: queryChoices(PROPOSAL_STATES).optional().describe('State, or several'),
        }),
        response: {
          200: z.object({ data: z.array(proposalSchema) }).describe('Proposals.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ params, query }) => ({
      data: (await listProposals(database, params.id, { states: query.state, limit: SHOWN })).map(proposalRecord),
    }),
  );

  app.post(
    '/api/detections/:id/proposals',
    {
      config: PROPOSE,
      schema: {
        operationId: 'proposeChange',
        summary: 'Propose a change of a detection',
        description:
          'Stores a proposed change of status, verdict, assignee or note with its reason. The detection does not change until an analyst accepts the proposal in the console. A new proposal replaces the open one of the same caller. Audited.',
        tags,
        params: ofDetection,
        body: newProposalSchema,
        response: {
          201: proposalSchema.describe('The proposal.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { change, reason } = request.body;
      const row = await proposals.propose(request.params.id, change, reason, byOf(request)).catch(refuse);
      return reply.code(201).send(proposalRecord(row));
    },
  );

  app.post(
    '/api/detections/:id/proposals/:proposal/accept',
    {
      config: DECIDE,
      schema: {
        operationId: 'acceptProposal',
        summary: 'Accept a proposal',
        description:
          'Makes the proposed change on behalf of the analyst. Requires a session; keys are refused. With the header If-Match (the ETag of the detection), the request fails with 412 if the decision changed since it was read. Audited.',
        tags,
        params: ofProposal,
        headers: ifMatchHeaders('decision'),
        response: {
          200: proposalSchema.describe('The accepted proposal.'),
          ...errorResponses(400, 401, 403, 404, 409, 412, 429, 503),
        },
      },
    },
    async (request) => {
      requirePerson(request);
      const { id, proposal } = request.params;
      const ifMatch = request.headers['if-match'];
      return proposalRecord(await proposals.accept(id, proposal, ifMatch, byOf(request)).catch(refuse));
    },
  );

  app.post(
    '/api/detections/:id/proposals/:proposal/decline',
    {
      config: DECIDE,
      schema: {
        operationId: 'declineProposal',
        summary: 'Decline a proposal',
        description: 'The detection does not change. Requires a session; keys are refused. Audited.',
        tags,
        params: ofProposal,
        response: {
          200: proposalSchema.describe('The declined proposal.'),
          ...errorResponses(400, 401, 403, 404, 409, 429, 503),
        },
      },
    },
    async (request) => {
      requirePerson(request);
      const { id, proposal } = request.params;
      return proposalRecord(await proposals.decline(id, proposal, byOf(request)).catch(refuse));
    },
  );
}

function requirePerson({ caller }: FastifyRequest): void {
  if (caller?.kind !== 'session')
    throw apiError('forbidden', 'an analyst decides about proposals: sign in to the console, keys are refused');
}

function proposalRecord({ decidedBy, decidedUsername, decidedAt, createdAt, ...row }: ProposalRow) {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    decided:
      decidedAt === null || decidedBy === null
        ? null
        : { at: decidedAt.toISOString(), actor: decidedBy, username: decidedUsername },
  };
}

function refuse(error: unknown): never {
  if (error instanceof NoSuchAnalyst) throw apiError('invalid_value', error.message, 'change.assignee');
  if (!(error instanceof ProposalRefused)) throw error;
  switch (error.problem) {
    case 'not_found':
      throw apiError('not_found', 'there is no such proposal or detection');
    case 'not_open':
      throw apiError('conflict', 'the proposal is not open: it was accepted, declined or replaced');
    case 'too_many':
      throw apiError('conflict', 'too many proposals are open for this detection: decide about some');
    case 'changed_meanwhile':
      throw changedSinceRead();
  }
}
