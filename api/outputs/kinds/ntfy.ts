import { z } from 'zod';
import { headerText, httpUrl } from '../fields.ts';
import { outboundFailure, readHttpAnswer } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { chatText } from './chat.ts';

/** Bytes of the response that are read. */
const MAX_RESPONSE = 64 * 1024;

const settings = z.strictObject({
  url: httpUrl.meta({ title: 'Topic URL', description: 'Server and topic, such as https://ntfy.sh/my-topic' }),
});
const secrets = z.strictObject({
  token: headerText.optional().meta({ title: 'Access token', description: 'For topics that require one' }),
});

export const kind = defineOutputKind({
  label: 'ntfy',
  description: 'Sends a push notification for each detection through an ntfy server.',
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openNtfy(reach, settings, secrets),
});

/** Posts a short text for people to an ntfy topic. */
function openNtfy(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url }: z.output<typeof settings>,
  { token }: z.output<typeof secrets>,
): Output {
  return {
    maxBatch: 1,
    async deliver(batch, signal) {
      let answer = '';
      for (const message of batch) {
        const response = await fetch({
          url,
          method: 'POST',
          headers: {
            'content-type': 'text/plain; charset=utf-8',
            'x-tags': messageId(message),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: chatText(message),
          maxBytes: MAX_RESPONSE,
          signal,
        }).catch((error: unknown) => {
          throw outboundFailure(error);
        });
        ({ answer } = readHttpAnswer(response, Date.now()));
      }
      return { answer };
    },
    close: async () => {},
  };
}
