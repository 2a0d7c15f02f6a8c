import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { READ, WRITE } from '#api/executions/routes/access.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { ApiError, apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import {
  releaseBodySchema,
  releasedSchema,
  rollbackBodySchema,
  versionDiffSchema,
  workflowSlugSchema,
  workflowVersionSchema,
} from '#schemas/api/workflows.ts';
import { CheckerBusy } from '../definitions/checker.ts';
import type { DefinitionIssue } from '../definitions/issue.ts';
import { type Released, type ReleasedBy, workflowTag } from '../definitions/release.ts';
import { DefinitionRefused, ReleaseRefused } from '../definitions/release-refusal.ts';
import { workflowRecord, workflowVersionRecord } from '../records/workflow-record.ts';
import { findVersion, listVersions } from '../tables/workflow-versions.ts';
import { noSuchWorkflow, notAllowed, type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { noSuchVersion, tooBusy, workflowParams } from './read.ts';

const tags = ['workflows'];
/** 1 MiB of YAML in which JSON escapes every second character. */
const BODY_BYTES = 4 * 2 ** 20;
const RELEASE_ERRORS = errorResponses(400, 401, 403, 404, 429, 503);

/**
 * PUT /api/v1/workflows/{id}, POST …/rollback, GET …/versions and …/versions/{version}/diff. Long: each route includes
 * its description.
 */
export function releaseRoutes(
  app: ApiServer,
  { database, releases, checker }: Pick<WorkflowRouteDeps, 'database' | 'releases' | 'checker'>,
): void {
  app.put(
    '/api/v1/workflows/:id',
    {
      config: WRITE,
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'releaseWorkflow',
        summary: 'Release a workflow',
        description:
          'A changed definition becomes a new version, which is current from now on. A definition that is already current changes nothing. An invalid definition is a 400 whose issues have path, line and column. Versions never change: a tag that belongs to other content is a 400. Referenced workflows must exist; secrets that are not set are warnings. With the header If-Match, the release succeeds only if the version that was read is still current (otherwise a 400 that names if-match).',
        tags,
        params: z.strictObject({ id: workflowSlugSchema.describe('Slug of the workflow') }),
        headers: ifMatchHeaders('workflow'),
        body: releaseBodySchema,
        response: {
          200: releasedSchema.describe('The current workflow, with its ETag in the header.'),
          ...RELEASE_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const wanted = { slug: request.params.id, ...request.body, ifMatch: request.headers['if-match'] };
      const released = await releases.release(wanted, byOf(request)).catch(refuseRelease);
      reply.header('etag', workflowTag(released.workflow));
      return releasedRecord(released);
    },
  );

  app.post(
    '/api/v1/workflows/:id/rollback',
    {
      config: WRITE,
      schema: {
        operationId: 'rollbackWorkflow',
        summary: 'Make an older version current',
        description: 'Runs that name no version use it from now on. Running executions continue with theirs.',
        tags,
        params: workflowParams,
        body: rollbackBodySchema,
        response: { 200: releasedSchema.describe('The current workflow.'), ...RELEASE_ERRORS },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      return releasedRecord(
        await releases.rollBack(workflow.slug, request.body.version, byOf(request)).catch(refuseRelease),
      );
    },
  );

  app.get(
    '/api/v1/workflows/:id/versions',
    {
      config: READ,
      schema: {
        operationId: 'listWorkflowVersions',
        summary: 'List versions',
        description: 'Released versions, newest first.',
        tags,
        params: workflowParams,
        querystring: z.strictObject(PAGE_SHAPE),
        response: { 200: listOf(workflowVersionSchema).describe('Versions.'), ...RELEASE_ERRORS },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      const { rows, total } = await listVersions(database, workflow.id, { limit, offset });
      return { data: rows.map((row) => workflowVersionRecord(row, workflow)), total, limit, offset };
    },
  );

  app.get(
    '/api/v1/workflows/:id/versions/:version/diff',
    {
      config: READ,
      schema: {
        operationId: 'compareWorkflowVersions',
        summary: 'Compare versions',
        description: 'Unified diff of the definitions of two versions.',
        tags,
        params: workflowParams.extend({ version: storableText(100).describe('Id, tag or latest') }),
        querystring: z.strictObject({
          with: storableText(100)
            .default('latest')
            .describe('Id, tag or latest of the other')
            .meta({ example: 'latest' }),
        }),
        response: { 200: versionDiffSchema.describe('The difference.'), ...RELEASE_ERRORS },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      const [from, to] = await Promise.all([
        findVersion(database, workflow, request.params.version),
        findVersion(database, workflow, request.query.with),
      ]);
      if (from === undefined) throw noSuchVersion();
      if (to === undefined) throw noSuchVersion('with');
      const named = ({ tag, yamlContent }: typeof from) => ({ name: `${workflow.slug}@${tag}`, text: yamlContent });
      const diff = await checker.compare(named(from), named(to), actorOf(request.caller)).catch(refuseRelease);
      if (diff === undefined) throw apiError('invalid_value', 'the versions are too large to compare');
      return { from: from.tag, to: to.tag, diff };
    },
  );
}

function byOf(request: FastifyRequest): ReleasedBy {
  return { viewer: viewerOf(request), actor: actorOf(request.caller), origin: originOf(request) };
}

function releasedRecord({ workflow, version, released, warnings }: Released): z.input<typeof releasedSchema> {
  return {
    workflow: workflowRecord(workflow, version.tag),
    version: workflowVersionRecord(version, workflow),
    visibility: workflow.visibility,
    released,
    warnings: warnings.map((issue) => ({ ...issueOf(issue), severity: 'warning' as const })),
  };
}

/** Throws the response to a refused release. Rethrows other errors. */
export function refuseRelease(error: unknown): never {
  if (error instanceof DefinitionRefused) throw new ApiError('invalid_value', error.issues.map(issueOf));
  if (error instanceof CheckerBusy) throw tooBusy(error);
  if (!(error instanceof ReleaseRefused)) throw error;
  switch (error.reason) {
    case 'invisible':
      throw noSuchWorkflow();
    case 'no-such-version':
      throw noSuchVersion();
    case 'not-owner':
      throw notAllowed('edit');
    case 'not-sharer':
      throw notAllowed('share');
    case 'overtaken':
      throw changedSinceRead();
    case 'tag-taken':
      throw apiError(
        'invalid_value',
        'this tag already belongs to another definition; versions never change',
        'version',
      );
  }
}

/**
 * Converts an issue. The path becomes the field, and the message includes the line for clients that show only messages.
 */
export function issueOf({ path, message, severity, line, column }: DefinitionIssue) {
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  return {
    field: ['yamlContent', ...path].join('.'),
    message: message + place,
    code: 'invalid_value',
    severity,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
