import type { OutputSecrets, OutputSettings } from '#schemas/api/outputs.ts';
import type { OutboundFetch } from '../../outbound/port.ts';
import type { Output, OutputMessage } from '../port.ts';
import { outboundFailure, readHttpAnswer } from './http-answer.ts';

const MAX_ANSWER = 64 * 1024;
/** Chats cut, or refuse, what is much longer. */
const MAX_TEXT = 2_000;

/** Posts a few lines for people to the address a chat gave for it; `slack`: `{"text": …}`, `text`: the lines themselves. */
export function openChat(
  { fetch }: { readonly fetch: OutboundFetch },
  { style }: OutputSettings<'chat'>,
  { url }: OutputSecrets<'chat'>,
): Output {
  return {
    atOnce: 1,
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
          maxBytes: MAX_ANSWER,
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

const TITLES: Readonly<Record<OutputMessage['cause'], string>> = {
  opened: 'New detection',
  grown: 'Detection goes on',
  closed: 'Detection closed',
  test: 'Test, nothing happened',
};

/** What happened, where, since when, and how to find it. */
export function chatText({ cause, detection }: OutputMessage): string {
  const { severity, rule, hostname, procname, message, verdict, crashes, firstSeen, lastSeen, id, revision } =
    detection;
  const lines = [
    `[${severity.toUpperCase()}] ${TITLES[cause]}: ${rule.name}`,
    message,
    `Host: ${hostname ?? 'unknown'}, program: ${procname ?? 'unknown'}, crashes: ${crashes}`,
    `Seen: ${firstSeen} to ${lastSeen}`,
    ...(cause === 'closed' ? [`Verdict: ${verdict?.replaceAll('_', ' ') ?? 'none'}`] : []),
    `${id}, revision ${revision}`,
  ];
  const plain = lines.map((line) => line.replace(/\p{Cc}+/gu, ' ')).join('\n');
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** Attackers choose names and messages: none of them may become a link or notify a channel. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
