import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { JsonValue } from '#api/executions/json-value.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import { errorText } from '#api/executions/records/error-text.ts';
import { principalOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { inputForm, jsonOrForm } from '#api/http/bodies/described-form.ts';
import { readForm } from '#api/http/bodies/read-form.ts';
import { uploadName } from '#api/http/bodies/upload-name.ts';
import { idempotencyKeyOf } from '#api/http/idempotency-key.ts';
import { queryIntegerOr } from '#api/http/queries/query-values.ts';
import { refusalOfJson } from '#api/http/responses/json-text.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import { runAgentResponseSchema } from '#schemas/api/agents.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import type { RunRequest } from '../agent-runs.ts';
import { requireOwnBatch } from '../experiments.ts';
import { type Requester, requireMay } from '../requester.ts';
import type { GivenFile } from '../tables/agent-files.ts';
import { requirePath } from '../workspace.ts';
import { UPLOAD_LIMITS } from './agent-scope.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, RUN, requesterOf } from './deps.ts';

const MAX_WAIT_SECONDS = 600;
const BODY_BYTES = 16 * 2 ** 20;
const label = storableText(200);
const labels = { batchId: label.optional(), exampleId: label.optional(), exampleName: label.optional() };
/** The input may contain any scalars in addition to files. */
const bodySchema = z
  .looseObject({ input: z.unknown().optional(), _metadata: z.record(z.string(), z.unknown()).optional(), ...labels })
  .describe('The input of the run, and data that is stored with it')
  .meta({ example: { input: { detection: 'det_0' } } });

/** POST /api/v1/agents/:agentId/run. */
export function runAgentRoute(app: ApiServer, deps: AgentRouteDeps): void {
  const { runs, watch } = deps;
  const hold = createLongPoll(deps.maxLongPolls === undefined ? {} : { max: deps.maxLongPolls });
  app.post(
    '/api/v1/agents/:agentId/run',
    {
      config: { ...RUN, describedBody: jsonOrForm(bodySchema, inputForm('The input, as JSON')) },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'runAgent',
        summary: 'Run an agent',
        description:
          'Responds immediately with the id of the execution. With `wait_for_completion`, responds when it has ended, or with status `timeout`. Files are sent as multipart/form-data: each in a field with the name of its input, and the other inputs as JSON in the field `_json`. With the header Idempotency-Key, a repeated request returns the same execution.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject({
          wait_for_completion: queryIntegerOr(0, { min: 0, max: MAX_WAIT_SECONDS })
            .describe('Seconds to wait for the end, at most 600')
            .meta({ example: 60 }),
        }),
        response: { 202: runAgentResponseSchema.describe('It was accepted.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const idempotencyKey = idempotencyKeyOf(request.headers);
      // Checked first, so no files are accepted for an agent that does not exist.
      requireMay(requester, 'run', await deps.agents.find(requester, request.params.agentId));
      const wanted = request.isMultipart() ? await readFiles(request, deps) : readBody(request.body);
      const executionId = await runs.run(requester, request.params.agentId, {
        ...wanted,
        idempotencyKey,
      });
      const seconds = request.query.wait_for_completion;
      if (seconds === 0) return reply.code(202).send({ executionId });
      const body = hold(principalOf(request.caller), (signal) =>
        outcome(requester, executionId, seconds * 1000, signal),
      );
      if (body === undefined) return reply.code(202).send({ executionId, status: 'timeout' });
      const untyped: FastifyReply = reply;
      return untyped.code(202).type('application/json; charset=utf-8').send(body);
    },
  );

  /**
   * Returns the outcome. Never rejects: the execution exists, and a client that receives an error would start another
   * one.
   */
  async function outcome(requester: Requester, executionId: string, ms: number, signal: AbortSignal) {
    try {
      if (!(await watch.waitForEnd(executionId, { ms, signal }))) return { executionId, status: 'timeout' };
      const { status, result, resultFile, schemaValid, error, cost } = await runs.find(requester, executionId);
      const output = await readPayload(deps.payloads, result, resultFile);
      return { executionId, status, output, schemaValid, error: errorText(error), cost: cost ?? {} };
    } catch {
      return { executionId, status: 'timeout' };
    }
  }
}

/** Parses `{input, _metadata, …}`. Without `input`, the rest of the body is the input. */
function readBody(body: unknown): RunRequest {
  const checked = bodySchema.safeParse(body ?? {});
  if (!checked.success) {
    const [first] = checked.error.issues;
    throw apiError('invalid_value', first?.message ?? 'must be an object', first?.path.join('.') || undefined);
  }
  const { input, _metadata, batchId, exampleId, exampleName, ...rest } = checked.data;
  requireOwnBatch(batchId);
  return {
    input: (input === undefined ? rest : input) as JsonValue,
    ...(_metadata === undefined ? {} : { metadata: _metadata as JsonValue }),
    batchId,
    exampleId,
    exampleName,
  };
}

/** Parses a form: each file has the name of its field, and `_json` is the input. */
async function readFiles(request: FastifyRequest, { contents }: AgentRouteDeps): Promise<RunRequest> {
  const files = new Map<string, GivenFile>();
  const fields = await readForm(request, async ({ field, filename, contentType, bytes, maxBytes }) => {
    const path = requirePath(field, field);
    if (files.has(path)) throw apiError('invalid_value', 'the file is sent twice', field);
    const content = await contents.put(bytes, Math.min(UPLOAD_LIMITS.fileBytes, maxBytes), contentType);
    files.set(path, { ...content, path, filename: uploadName(filename) || null });
  });
  for (const name of fields.keys())
    if (name !== '_json') throw apiError('invalid_value', 'inputs other than files must be in _json', name);
  return { ...readBody({ input: parse(fields.get('_json') ?? '{}') }), files: [...files.values()] };
}

function parse(text: string): unknown {
  const refusal = refusalOfJson(text, '_json');
  if (refusal !== undefined) throw refusal;
  try {
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    throw apiError('invalid_value', 'this is not JSON', '_json');
  }
}
