import { z } from 'zod';
import { causationOf } from '#api/executions/engine/causation.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { deliveredSchema } from '#schemas/api/triggers.ts';
import { SIGNATURE_HEADER } from '../../triggers/webhook-signature.ts';
import { WebhookRefused } from '../../triggers/webhooks.ts';
import { refuseWhenBusy } from '../deps.ts';
import type { TriggerRouteDeps } from './deps.ts';

const MAX_BODY_BYTES = 2 ** 20;

/** For documentation only: the signature covers the bytes, and the workflow validates its input. */
const DESCRIBED_BODY = {
  'application/json': {
    schema: {
      description: 'Any JSON value: the input of the run. An empty body counts as `{}`.',
      example: { host: 'web-1' },
    },
  },
} as const;

/**
 * POST /api/v1/workflows/{id}/webhook, for any sender with the secret. Reads all bodies in the current scope as bytes.
 */
export function deliverWebhookRoute(app: ApiServer, { webhooks }: Pick<TriggerRouteDeps, 'webhooks'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    '/api/v1/workflows/:id/webhook',
    {
      config: { access: { by: 'anyone' }, describedBody: DESCRIBED_BODY },
      schema: {
        operationId: 'deliverToWorkflowWebhook',
        summary: 'Deliver to the webhook of a workflow',
        description:
          'Starts the workflow with the JSON body (1 MiB at most) as its input. Signed, not authenticated: the header holds the time in seconds and the HMAC-SHA-256 of `<seconds>.<body>` with the secret of the webhook. A signature is valid for five minutes. A repeated delivery returns the same execution.',
        tags: ['workflows'],
        params: z.strictObject({ id: storableText(100).describe('The slug').meta({ example: 'isolate-host' }) }),
        headers: z.object({
          [SIGNATURE_HEADER]: z
            .string()
            .max(200)
            .optional()
            .describe('t=<seconds since 1970>,v1=<64 hexadecimal digits>')
            .meta({ example: `t=1777600000,v1=${'0'.repeat(64)}` }),
        }),
        response: {
          201: deliveredSchema.describe('Started, now or by an earlier copy of this delivery.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const body: unknown = request.body;
      const signature = request.headers[SIGNATURE_HEADER];
      const started = await webhooks
        .receive({
          slug: request.params.id,
          signature: typeof signature === 'string' ? signature : undefined,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          requestId: request.id,
          trace: request.trace,
          causation: causationOf(request.headers),
        })
        .catch(refuse);
      return reply.code(201).send(started);
    },
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof WebhookRefused)) return refuseWhenBusy(error);
  switch (error.reason) {
    case 'disabled':
      throw apiError('forbidden', error.message);
    case 'unreadable':
      throw apiError('invalid_value', error.message);
    default:
      throw apiError('unauthorized', error.message, SIGNATURE_HEADER);
  }
}
