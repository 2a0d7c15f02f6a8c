import { z } from 'zod';
import { ecsDetection } from '#analytics/formats/ecs-detection.ts';
import type { OutboundResponse } from '#api/outbound/port.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { choice, headerText, httpUrl } from '../fields.ts';
import { httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Delivery, type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { jsonOf, sendRequest, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({
    title: 'URL',
    description: 'Elasticsearch or OpenSearch, such as https://elastic.example.org:9200',
  }),
  target: z
    .string()
    .regex(/^(?![-_+.])[^\s"*\\<|,>/?#:A-Z]{1,200}$/, 'must be a name in lower case')
    .default('logs-trapline.detection-default')
    .meta({
      title: 'Index or data stream',
      description: 'Name of the target; it is created by a template of the cluster',
    }),
  mode: choice({
    stream: 'Data stream: one document for each message',
    index: 'Index: one document for each detection, its newest revision',
  })
    .default('stream')
    .meta({ title: 'Documents' }),
});
const secrets = z.strictObject({
  authorization: headerText.meta({
    title: 'Authorization header',
    description:
      'ApiKey with an encoded API key, or Basic with user and password in base64. It needs the privilege to write to the target',
  }),
});

export const kind = defineOutputKind({
  label: 'Elasticsearch',
  description: 'Writes one document (Elastic Common Schema) for each detection by the bulk API.',
  order: 22,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openElasticsearch(reach, settings, secrets),
});

const MAX_BATCH = 50;
const MAX_RESPONSE = 2 ** 20;
/** Statuses of items that are temporary, or caused by the credentials or a missing target: messages wait. */
const RETRIED = new Set([401, 403, 404, 429, 500, 502, 503, 504]);

/**
 * Uses the Bulk API. The response is 200 even if items failed; each item has a status. Deliveries are idempotent: a
 * data stream refuses a second document with the id of the message (409), an index a version that is not newer. For an
 * item, 429, 5xx and errors of the credentials or the target are retried; other errors refuse its message.
 */
export function openElasticsearch(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url, target, mode }: z.output<typeof settings>,
  { authorization }: z.output<typeof secrets>,
): Output {
  async function deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<Delivery> {
    const response = await sendRequest(
      fetch,
      {
        url: urlBelow(
          url,
          `/${encodeURIComponent(target)}/_bulk?filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason`,
        ),
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-ndjson', accept: 'application/json' },
        body: batch.map((message) => `${actionOf(message, mode)}\n${documentOf(message)}\n`).join(''),
        maxBytes: MAX_RESPONSE,
      },
      signal,
    );
    if (!isSuccess(response)) throw httpFailure(response, Date.now());
    const items = itemsOf(response);
    if (items.length !== batch.length)
      throw new OutputFailure('temporary', 'the response does not have one item for each document');
    for (const [delivered, { status, error }] of items.entries()) {
      if ((status >= 200 && status < 300) || status === 409) continue;
      const reason = shortened(plainText(`${status} ${error?.type ?? 'error'}: ${error?.reason ?? ''}`), 200);
      throw new OutputFailure(RETRIED.has(status) || isOfTheTarget(error) ? 'temporary' : 'permanent', reason, {
        delivered,
        answered: status >= 500,
      });
    }
    return { answer: `HTTP 200: ${batch.length === 1 ? '1 document' : `${batch.length} documents`} in ${target}` };
  }
  return { maxBatch: MAX_BATCH, deliver, close: async () => {} };
}

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/**
 * True for an error of the target: a closed index, or a data stream that is written to as an index, refuses every
 * document with status 400.
 */
function isOfTheTarget({ type, reason = '' }: NonNullable<BulkItem['error']> = {}): boolean {
  return type === 'index_closed_exception' || /op_type of create are allowed in data streams/.test(reason);
}

function itemsOf(response: OutboundResponse): BulkItem[] {
  const { items } = jsonOf(response) as { readonly items?: readonly Readonly<Record<string, BulkItem>>[] };
  return (items ?? []).flatMap((item) => Object.values(item));
}

function actionOf(message: OutputMessage, mode: z.output<typeof settings>['mode']): string {
  if (mode === 'stream') return JSON.stringify({ create: { _id: `${messageId(message)}:${message.at.getTime()}` } });
  const { seq, detection, cause } = message;
  const id = cause === 'test' ? messageId(message) : detection.id;
  return JSON.stringify({ index: { _id: id, version: Math.max(seq, 1), version_type: 'external_gte' } });
}

function documentOf(message: OutputMessage): string {
  const { event, ...document } = ecsDetection(message.detection);
  const labels = { delivery_id: messageId(message), cause: message.cause };
  return stringifyExact({ ...document, event: { ...event, created: message.at.toISOString() }, labels });
}
