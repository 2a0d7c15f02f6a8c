import { z } from 'zod';
import type { CaseMessage } from '../cases/case-message.ts';
import { choice, httpUrl } from '../fields.ts';
import { outboundFailure, readHttpAnswer } from '../http-answer.ts';
import { CAUSE_TITLES } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Delivery, Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';

/** Maximum number of bytes read from a response. */
const MAX_RESPONSE = 64 * 1024;
/** Maximum length of a text, in characters. Chat services truncate or refuse much longer texts. */
const MAX_TEXT = 2_000;

const settings = z.strictObject({
  style: choice({ slack: 'JSON with a field text: Slack, Mattermost and others', text: 'Plain text' })
    .default('slack')
    .meta({ title: 'Format' }),
});
const secrets = z.strictObject({
  url: httpUrl.meta({
    title: 'Webhook URL',
    description: 'The incoming webhook of the chat channel. Anyone who knows it can post',
  }),
});

export const kind = defineOutputKind({
  label: 'Chat',
  description: 'Posts a short text to the incoming webhook of a chat channel.',
  order: 2,
  sendsCases: true,
  settings,
  secrets,
  receiver: [],
  open: ({ reach, settings, secrets }) => openChat(reach, settings, secrets),
});

/** Posts a short text to a chat channel. `slack`: the body is `{"text": …}`; `text`: the body is the text. */
export function openChat(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { style }: z.output<typeof settings>,
  { url }: z.output<typeof secrets>,
): Output {
  async function post(text: string, signal: AbortSignal): Promise<Delivery> {
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
    return readHttpAnswer(response, Date.now());
  }

  return {
    maxBatch: 1,
    async deliver(batch, signal) {
      let delivery: Delivery = { answer: '' };
      for (const message of batch) delivery = await post(chatText(message), signal);
      return delivery;
    },
    deliverCase: (message, signal) => post(caseText(message), signal),
    close: async () => {},
  };
}

/** Returns the text of a message: cause, rule, host, program, times and id. */
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
  return shortText(lines);
}

const CASE_TITLES: Readonly<Record<CaseMessage['cause'], string>> = {
  opened: 'Case opened',
  changed: 'Case changed',
  closed: 'Case closed',
};

/** Returns the text of a message about a case: cause, title, status, assignee and link. */
export function caseText({ cause, case: of, link }: CaseMessage): string {
  const { number, title, severity, status, reason, assignee, detections, tasks, tasksDone } = of;
  return shortText([
    `[${severity.toUpperCase()}] ${CASE_TITLES[cause]}: #${number} ${title}`,
    `Status: ${status.replaceAll('_', ' ')}${reason === null ? '' : ` (${reason.replaceAll('_', ' ')})`}, assignee: ${assignee ?? 'none'}`,
    `Detections: ${detections}, tasks done: ${tasksDone} of ${tasks}`,
    link,
  ]);
}

function shortText(lines: readonly string[]): string {
  const plain = lines.map((line) => line.replace(/\p{Cc}+/gu, ' ')).join('\n');
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** Invisible character that separates two others. */
const WORD_JOINER = '\u2060';

/**
 * Escapes text for Slack and Mattermost. Attackers choose names and messages, which must not notify a channel or become
 * a link with a custom text. Escapes Slack's control characters and splits what Mattermost parses as a mention or a
 * Markdown link.
 */
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=\w)|\](?=[([])/g, `$&${WORD_JOINER}`);
}
