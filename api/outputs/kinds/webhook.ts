import { z } from 'zod';
import { SIGNATURE_HEADER, webhookSignature } from '#api/workflows/triggers/webhook-signature.ts';
import { caseMessageJson } from '../cases/case-message.ts';
import { headerText, httpUrl } from '../fields.ts';
import { outboundFailure, readHttpAnswer } from '../http-answer.ts';
import { messageId, messageJson } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Delivery, Output } from '../port.ts';
import type { OutputReach } from '../reach.ts';

/** Maximum number of bytes read from a response. */
const MAX_RESPONSE = 64 * 1024;

const settings = z.strictObject({
  url: httpUrl.meta({ title: 'URL', description: 'Each detection is posted to this URL as JSON' }),
});
const secrets = z.strictObject({
  signingKey: headerText.min(16).meta({
    title: 'Signing key',
    description: 'Signs `timestamp.body` with HMAC-SHA-256 in the header x-trapline-signature; at least 16 characters',
  }),
  authorization: headerText
    .optional()
    .meta({ title: 'Authorization header', description: 'Value of the header Authorization' }),
});

export const kind = defineOutputKind({
  label: 'Webhook',
  description: 'Posts each detection as signed JSON.',
  order: 1,
  sendsCases: true,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openWebhook(reach, settings, secrets),
});

/**
 * Posts each message as JSON through the outbound guard. A signature over `timestamp.body` proves the sender and the
 * time: `x-trapline-signature: t=<seconds>,v1=<HMAC-SHA-256 in hexadecimal>`. `x-trapline-delivery` is the same when a
 * message is sent again.
 */
export function openWebhook(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url }: z.output<typeof settings>,
  { signingKey, authorization }: z.output<typeof secrets>,
): Output {
  async function post(id: string, json: string, signal: AbortSignal): Promise<Delivery> {
    const body = Buffer.from(json);
    const now = Date.now();
    const response = await fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'trapline',
        'x-trapline-delivery': id,
        [SIGNATURE_HEADER]: webhookSignature(signingKey, body, now),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      maxBytes: MAX_RESPONSE,
      signal,
    }).catch((error: unknown) => {
      throw outboundFailure(error);
    });
    return readHttpAnswer(response, now);
  }

  return {
    maxBatch: 1,
    async deliver(batch, signal) {
      let delivery: Delivery = { answer: '' };
      for (const message of batch) delivery = await post(messageId(message), messageJson(message), signal);
      return delivery;
    },
    deliverCase: (message, signal) => post(message.id, caseMessageJson(message), signal),
    close: async () => {},
  };
}
