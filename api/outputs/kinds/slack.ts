import { z } from 'zod';
import { headerText, httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageFacts, messageTitle, plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { jsonOf, oneByOne, sendJson } from '../send-request.ts';

const settings = z.strictObject({
  channel: z
    .string()
    .regex(/^[#@]?[\w.-]{1,80}$/, 'must be an id or name of a channel')
    .meta({ title: 'Channel', description: 'Id of the channel, such as C0123456789. The app must be a member of it' }),
  url: httpUrl
    .default('https://slack.com/api/chat.postMessage')
    .meta({ title: 'URL', description: 'Method chat.postMessage of the Slack Web API' }),
});
const secrets = z.strictObject({
  token: headerText.meta({
    title: 'Bot token',
    description: 'Bot token of a Slack app with the scope chat:write (xoxb-…)',
  }),
});

export const kind = defineOutputKind({
  label: 'Slack',
  description: 'Posts each detection to a Slack channel, as a bot.',
  order: 11,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openSlack(reach, settings, secrets),
});

/** Errors of chat.postMessage caused by the message. All others are caused by the app or the channel: messages wait. */
const OF_THE_MESSAGE = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
]);
const OF_THE_SERVICE = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']);

/**
 * Uses chat.postMessage. Slack responds with 200 even for errors (`ok: false`); 429 has Retry-After. Slack has no
 * idempotency key; the metadata contain the message id.
 */
export function openSlack(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { channel, url }: z.output<typeof settings>,
  { token }: z.output<typeof secrets>,
): Output {
  return oneByOne(async (message, signal) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
    const response = await sendJson(fetch, { url, headers, body: { channel, ...slackMessage(message) } }, signal);
    if (!isSuccess(response)) throw httpFailure(response, Date.now());
    const { ok, error } = jsonOf(response);
    if (ok === true) return { answer: answerLine(response) };
    const code = typeof error === 'string' ? error : 'no error code';
    throw new OutputFailure(
      OF_THE_MESSAGE.has(code) ? 'permanent' : 'temporary',
      `Slack: ${shortened(plainText(code), 100)}`,
      {
        answered: OF_THE_SERVICE.has(code),
      },
    );
  });
}

/** Returns blocks with plain text only, in which attacker-controlled names become no link and notify no channel. */
function slackMessage(message: OutputMessage): object {
  const { detection, cause } = message;
  const text = (value: string) => ({ type: 'plain_text', text: value, emoji: false });
  return {
    text: escaped(messageTitle(message, 1_000)),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: text(messageTitle(message, 150)) },
      { type: 'section', text: text(shortened(plainText(detection.message) || '-', 2_000)) },
      { type: 'section', fields: messageFacts(message).map(([name, value]) => text(`${name}: ${value}`)) },
    ],
    metadata: {
      event_type: 'trapline_detection',
      event_payload: { id: detection.id, revision: detection.revision, cause },
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
