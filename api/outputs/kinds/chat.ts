import { z } from 'zod';
import { choice, httpUrl } from '../fields.ts';
import { outboundFailure, readHttpAnswer } from '../http-answer.ts';
import { CAUSE_TITLES } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';

/** Bytes of the response that are read. */
const MAX_RESPONSE = 64 * 1024;
/** Characters; chat services truncate or refuse much longer texts. */
const MAX_TEXT = 2_000;

const settings = z.strictObject({
  style: choice({ slack: 'JSON with a field text: Slack, Mattermost and others', text: 'Plain text' })
    .default('slack')
    .meta({ title: 'Format' }),
});
const secrets = z.strictObject({
  url: httpUrl.meta({
    title: 'Webhook URL',
    description: 'The incoming webhook of the chat channel. Everybody who knows it can post',
  }),
});

export const kind = defineOutputKind({
  label: 'Chat',
  description: 'Posts a short text to the incoming webhook of a chat channel.',
  order: 2,
  settings,
  secrets,
  receiver: [],
  open: ({ reach, settings, secrets }) => openChat(reach, settings, secrets),
});

/** Posts a short text for people to a chat channel; `slack`: `{"text": …}`, `text`: the text itself. */
export function openChat(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { style }: z.output<typeof settings>,
  { url }: z.output<typeof secrets>,
): Output {
  return {
    maxBatch: 1,
    async deliver(batch, signal) {
      let answer = '';
      for (const message of batch) {
        const text = chatText(message);
        const response = await fetch({
          url,
          method: 'POST',
          headers: {
            'content-type': style === 'slack' ? 'application/json' : 'text/plain; charset=utf-8',
            'user-agent': 'trapline',
          },
          body: style === 'slack' ? JSON.stringify({ text: slackText(text) }) : text,
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

/** The text of a message: cause, rule, host, program, times and id. */
export function chatText({ cause, detection }: OutputMessage): string {
  const { severity, rule, hostname, procname, message, verdict, crashes, firstSeen, lastSeen, id, revision } =
    detection;
  const lines = [
    `[${severity.toUpperCase()}] ${CAUSE_TITLES[cause]}: ${rule.name}`,
    message,
    `Host: ${hostname ?? 'unknown'}, program: ${procname ?? 'unknown'}, crashes: ${crashes}`,
    `Seen: ${firstSeen} to ${lastSeen}`,
    ...(cause === 'closed' ? [`Verdict: ${verdict?.replaceAll('_', ' ') ?? 'none'}`] : []),
    `${id}, revision ${revision}`,
  ];
  const plain = lines.map((line) => line.replace(/\p{Cc}+/gu, ' ')).join('\n');
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** Escapes control characters of Slack: attackers choose names and messages, which must not become links or notify a channel. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
