import { SIGNATURE_HEADER, webhookSignature } from '#api/workflows/triggers/webhook-signature.ts';
import type { OutputSecrets, OutputSettings } from '#schemas/api/outputs.ts';
import type { OutboundFetch } from '../../outbound/port.ts';
import { messageId, messageJson } from '../message-json.ts';
import type { Output } from '../port.ts';
import { outboundFailure, readHttpAnswer } from './http-answer.ts';

/** An answer says little; the rest is not read. */
const MAX_ANSWER = 64 * 1024;

/**
 * Posts each message as JSON, through the guard over what is fetched from outside. Signed over `timestamp.body`, so that a receiver knows who
 * sent it and that it is no old one: `x-trapline-signature: t=<seconds>,v1=<HMAC-SHA-256 in hexadecimal>`. `x-trapline-delivery` is the same whenever the
 * same message is sent again.
 */
export function openWebhook(
  { fetch }: { readonly fetch: OutboundFetch },
  { url }: OutputSettings<'webhook'>,
  { signingKey, authorization }: OutputSecrets<'webhook'>,
): Output {
  return {
    atOnce: 1,
    async deliver(batch, signal) {
      let answer = '';
      for (const message of batch) {
        const body = Buffer.from(messageJson(message));
        const now = Date.now();
        const response = await fetch({
          url,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'trapline',
            'x-trapline-delivery': messageId(message),
            [SIGNATURE_HEADER]: webhookSignature(signingKey, body, now),
            ...(authorization === undefined ? {} : { authorization }),
          },
          body,
          maxBytes: MAX_ANSWER,
          signal,
        }).catch((error: unknown) => {
          throw outboundFailure(error);
        });
        ({ answer } = readHttpAnswer(response, now));
      }
      return { answer };
    },
    close: async () => {},
  };
}
