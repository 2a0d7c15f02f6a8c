import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { storableText } from '#schemas/api/storable-text.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { headerText, httpUrl } from '../fields.ts';
import { httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Delivery, type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { jsonOf, sendJson, sendRequest, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({ title: 'URL', description: 'HTTP Event Collector, such as https://splunk.example.org:8088' }),
  index: storableText(80).optional().meta({ title: 'Index', description: 'Default: the index of the token' }),
  sourcetype: storableText(80)
    .default('trapline:detection')
    .meta({ title: 'Source type', description: 'Source type of the events' }),
  acknowledge: z.boolean().default(false).meta({
    title: 'Wait for acknowledgement',
    description: 'Waits until the indexer has stored the events. Indexer acknowledgement must be on for the token',
  }),
});
const secrets = z.strictObject({
  token: headerText.meta({ title: 'Token', description: 'Token of the HTTP Event Collector' }),
});

export const kind = defineOutputKind({
  label: 'Splunk',
  description: 'Sends one event for each detection to an HTTP Event Collector.',
  order: 21,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openSplunk(reach, settings, secrets),
});

const MAX_BATCH = 50;
/**
 * Error codes caused by an event; the response contains its number. All others are caused by the token, the index or
 * the server: messages wait.
 */
const OF_AN_EVENT = new Set([5, 6, 12, 13, 15]);
const ACK_PAUSE_MS = 500;
/** Time without an acknowledgement after which events are sent again, ms. Splunk recommends five minutes. */
const ACK_LIMIT_MS = 300_000;

/**
 * Uses the HTTP Event Collector. Code 0 is success. With `acknowledge`, a batch is delivered when the indexer has
 * acknowledged it. If a batch is not acknowledged within one delivery, the next deliveries query its acknowledgement
 * before they send it again. Splunk does not deduplicate; `event.id` identifies the message.
 */
export function openSplunk(
  { fetch }: Pick<OutputReach, 'fetch'>,
  given: z.output<typeof settings>,
  { token }: z.output<typeof secrets>,
): Output {
  const channel = randomUUID();
  const headers = {
    authorization: `Splunk ${token}`,
    ...(given.acknowledge ? { 'x-splunk-request-channel': channel } : {}),
  };
  let pending: { readonly key: string; readonly ackId: number; readonly sentAt: number } | undefined;

  async function send(batch: readonly OutputMessage[], signal: AbortSignal): Promise<number | undefined> {
    const request = {
      url: urlBelow(given.url, '/services/collector/event'),
      method: 'POST' as const,
      headers: { ...headers, 'content-type': 'application/json' },
      body: batch.map((message) => splunkEvent(message, given)).join('\n'),
    };
    const response = await sendRequest(fetch, request, signal);
    const { code, ackId, 'invalid-event-number': invalid } = jsonOf(response);
    if (isSuccess(response)) return typeof ackId === 'number' ? ackId : undefined;
    const isEvent = typeof code === 'number' && OF_AN_EVENT.has(code);
    const known = response.status === 400 && typeof code === 'number';
    throw httpFailure(response, Date.now(), {
      kind: isEvent ? 'permanent' : known ? 'temporary' : undefined,
      delivered: isEvent && typeof invalid === 'number' ? Math.min(Math.max(invalid, 0), batch.length - 1) : 0,
    });
  }

  async function acknowledged(ackId: number, signal: AbortSignal): Promise<void> {
    const url = `${urlBelow(given.url, '/services/collector/ack')}?channel=${channel}`;
    while (!signal.aborted) {
      const response = await sendJson(fetch, { url, headers, body: { acks: [ackId] } }, signal);
      if (!isSuccess(response)) throw httpFailure(response, Date.now());
      const { acks } = jsonOf(response) as { readonly acks?: Readonly<Record<string, boolean>> };
      if (acks?.[String(ackId)] === true) return;
      await delay(ACK_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
    throw new OutputFailure('temporary', 'the indexer has not acknowledged the events yet');
  }

  async function deliver(batch: readonly OutputMessage[], signal: AbortSignal): Promise<Delivery> {
    if (!given.acknowledge) {
      await send(batch, signal);
      return { answer: `HTTP 200: ${batch.length} accepted` };
    }
    const key = batch.map(messageId).join(' ');
    if (pending?.key !== key || performance.now() - pending.sentAt > ACK_LIMIT_MS) {
      pending = undefined;
      const ackId = await send(batch, signal);
      if (ackId === undefined)
        throw new OutputFailure('temporary', 'the response has no ackId: enable indexer acknowledgement for the token');
      pending = { key, ackId, sentAt: performance.now() };
    }
    await acknowledged(pending.ackId, signal);
    pending = undefined;
    return { answer: `HTTP 200: ${batch.length} acknowledged` };
  }

  return { maxBatch: given.acknowledge ? 1 : MAX_BATCH, deliver, close: async () => {} };
}

function splunkEvent(message: OutputMessage, { index, sourcetype }: z.output<typeof settings>): string {
  const { detection, cause, at } = message;
  return stringifyExact({
    time: at.getTime() / 1_000,
    ...(detection.hostname === null ? {} : { host: detection.hostname }),
    source: 'trapline',
    sourcetype,
    ...(index === undefined ? {} : { index }),
    event: { id: messageId(message), type: `detection.${cause}`, test: cause === 'test', detection },
    fields: { severity: detection.severity, rule: detection.rule.id, detection: detection.id },
  });
}
