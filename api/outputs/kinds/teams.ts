import { z } from 'zod';
import { httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageFacts, messageTitle, plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { oneByOne, sendJson } from '../send-request.ts';

const secrets = z.strictObject({
  url: httpUrl.meta({
    title: 'Webhook URL',
    description:
      'URL of a Teams workflow with the trigger "When a Teams webhook request is received". Anyone who knows it can post',
  }),
});

export const kind = defineOutputKind({
  label: 'Microsoft Teams',
  description: 'Posts each detection as an adaptive card through a Teams workflow.',
  order: 12,
  settings: z.strictObject({}),
  secrets,
  receiver: [],
  open: ({ reach, secrets }) => openTeams(reach, secrets),
});

/** Older webhooks respond with 200 and include the status of the failure in the body. */
const HIDDEN_STATUS = /HTTP error (\d{3})/;

/**
 * A workflow responds with 202 when it has accepted the card, and with 429 when it is throttled. Teams has no
 * idempotency key.
 */
export function openTeams({ fetch }: Pick<OutputReach, 'fetch'>, { url }: z.output<typeof secrets>): Output {
  return oneByOne(async (message, signal) => {
    const response = await sendJson(fetch, { url, body: teamsMessage(message) }, signal);
    if (!isSuccess(response)) throw httpFailure(response, Date.now());
    const [, status] = HIDDEN_STATUS.exec(response.body.toString('utf8')) ?? [];
    if (status === undefined) return { answer: answerLine(response) };
    throw new OutputFailure(status === '413' || status === '400' ? 'permanent' : 'temporary', answerLine(response));
  });
}

/** Uses text runs, which, unlike text blocks and facts, do not render Markdown. */
function teamsMessage(message: OutputMessage): object {
  const paragraph = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            paragraph(run(messageTitle(message, 300), { weight: 'Bolder', size: 'Medium' })),
            paragraph(run(shortened(plainText(message.detection.message) || '-', 2_000))),
            ...messageFacts(message).map(([name, value]) =>
              paragraph(run(`${name}: `, { weight: 'Bolder' }), run(value)),
            ),
          ],
        },
      },
    ],
  };
}
