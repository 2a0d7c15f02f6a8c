import { z } from 'zod';
import type { Severity } from '#schemas/detection.ts';
import { headerText, httpUrl } from '../fields.ts';
import { httpFailure, readHttpAnswer } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { messageFacts, messageLines, messageTitle, plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { oneByOne, sendJson, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.default('https://api.opsgenie.com').meta({
    title: 'URL',
    description: 'Address of the API. For accounts in the EU: https://api.eu.opsgenie.com',
  }),
});
const secrets = z.strictObject({
  apiKey: headerText.meta({
    title: 'API key',
    description: 'Key of an API integration that may create and close alerts',
  }),
});

export const kind = defineOutputKind({
  label: 'Opsgenie',
  description: 'Creates an alert for each detection, and closes it when the detection is closed.',
  order: 14,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openOpsgenie(reach, settings, secrets),
});

const PRIORITIES: Readonly<Record<Severity, string>> = {
  critical: 'P1',
  high: 'P2',
  medium: 'P3',
  low: 'P4',
  info: 'P5',
};

/**
 * Uses the Alert API. `alias` is the id of the detection: a repeated alert increments the count of the open alert
 * instead of creating a second one. The API responds with 202 and processes the request afterwards. 422 refuses the
 * message. 429 and 5xx are retried.
 */
export function openOpsgenie(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url }: z.output<typeof settings>,
  { apiKey }: z.output<typeof secrets>,
): Output {
  const headers = { authorization: `GenieKey ${apiKey}` };
  return oneByOne(async (message, signal) => {
    const { path, body } = opsgenieRequest(message);
    const response = await sendJson(fetch, { url: urlBelow(url, path), headers, body }, signal);
    // 404 means that the alert to close was deleted: nothing remains to be done.
    if (response.status === 404 && message.cause === 'closed')
      throw httpFailure(response, Date.now(), { kind: 'permanent' });
    return readHttpAnswer(response, Date.now());
  });
}

function opsgenieRequest(message: OutputMessage): { readonly path: string; readonly body: object } {
  const { detection, cause } = message;
  const { id, severity, hostname, procname, rule } = detection;
  if (cause === 'closed') {
    const path = `/v2/alerts/${encodeURIComponent(id)}/close?identifierType=alias`;
    return { path, body: { source: 'Trapline', note: messageTitle(message, 1_000) } };
  }
  return {
    path: '/v2/alerts',
    body: {
      message: messageTitle(message, 130),
      alias: cause === 'test' ? messageId(message) : id,
      description: shortened(messageLines(message), 15_000),
      priority: PRIORITIES[severity],
      source: 'Trapline',
      entity: shortened(plainText(hostname ?? procname ?? 'unknown'), 512),
      tags: ['trapline', rule.id, ...(cause === 'test' ? ['test'] : [])],
      details: Object.fromEntries(messageFacts(message)),
    },
  };
}
