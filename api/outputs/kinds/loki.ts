import { z } from 'zod';
import { headerText, httpUrl } from '../fields.ts';
import { httpFailure, isSuccess, readHttpAnswer } from '../http-answer.ts';
import { messageId, messageJson } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { oneByOne, sendJson, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({ title: 'URL', description: 'Grafana Loki, such as https://loki.example.org:3100' }),
  tenant: headerText
    .max(150)
    .optional()
    .meta({ title: 'Tenant', description: 'Value of the header X-Scope-OrgID, for Loki with several tenants' }),
});
const secrets = z.strictObject({
  authorization: headerText.optional().meta({
    title: 'Authorization header',
    description: 'Basic with user and password in base64, or Bearer with a token',
  }),
});

export const kind = defineOutputKind({
  label: 'Grafana Loki',
  description: 'Pushes one log line (JSON) for each detection.',
  order: 23,
  settings,
  secrets,
  receiver: ['url', 'tenant'],
  open: ({ reach, settings, secrets }) => openLoki(reach, settings, secrets),
});

/**
 * Uses the Push API. 204 is success. 400 refuses the line, such as one that is too old or too long. 429 and 5xx are
 * retried. Deliveries are idempotent, because Loki stores a line with the same time and labels once.
 */
export function openLoki(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url, tenant }: z.output<typeof settings>,
  { authorization }: z.output<typeof secrets>,
): Output {
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(tenant === undefined ? {} : { 'x-scope-orgid': tenant }),
  };
  return oneByOne(async (message, signal) => {
    const target = urlBelow(url, '/loki/api/v1/push');
    const response = await sendJson(fetch, { url: target, headers, body: { streams: [streamOf(message)] } }, signal);
    if (isSuccess(response)) return readHttpAnswer(response, Date.now());
    throw httpFailure(response, Date.now());
  });
}

/** Labels must have few distinct values; fields with many values are structured metadata. */
function streamOf(message: OutputMessage): object {
  const { detection, cause, at } = message;
  const { id, severity, rule, hostname } = detection;
  const metadata = { detection: id, delivery: messageId(message), ...(hostname === null ? {} : { host: hostname }) };
  return {
    stream: { service_name: 'trapline', severity, rule: rule.id, cause },
    values: [[`${at.getTime()}000000`, messageJson(message), metadata]],
  };
}
