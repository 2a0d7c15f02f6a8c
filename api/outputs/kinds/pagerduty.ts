import { z } from 'zod';
import type { Severity } from '#schemas/detection.ts';
import { headerText, httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { messageFacts, messageTitle, plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { jsonOf, oneByOne, sendJson } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.default('https://events.pagerduty.com/v2/enqueue').meta({
    title: 'URL',
    description: 'Events API v2. For accounts in the EU: https://events.eu.pagerduty.com/v2/enqueue',
  }),
});
const secrets = z.strictObject({
  routingKey: headerText.meta({
    title: 'Integration key',
    description: 'Integration key of a service with an Events API v2 integration (32 characters)',
  }),
});

export const kind = defineOutputKind({
  label: 'PagerDuty',
  description: 'Triggers an incident for each detection, and resolves it when the detection is closed.',
  order: 13,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openPagerDuty(reach, settings, secrets),
});

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'warning',
  info: 'info',
};

/**
 * Uses the Events API v2. `dedup_key` is the id of the detection: events of one detection are one incident, and repeats
 * change nothing. 202 is success. 400 refuses the message, unless it concerns the integration key, which affects all
 * messages. 429 and 5xx are retried.
 */
export function openPagerDuty(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url }: z.output<typeof settings>,
  { routingKey }: z.output<typeof secrets>,
): Output {
  return oneByOne(async (message, signal) => {
    const response = await sendJson(
      fetch,
      { url, body: { routing_key: routingKey, ...pagerDutyEvent(message) } },
      signal,
    );
    if (isSuccess(response)) return { answer: answerLine(response) };
    const { errors } = jsonOf(response);
    const isKeyWrong = response.status === 400 && /routing.?key/i.test(JSON.stringify(errors ?? ''));
    throw httpFailure(response, Date.now(), { kind: isKeyWrong ? 'temporary' : undefined });
  });
}

function pagerDutyEvent(message: OutputMessage): object {
  const { detection, cause } = message;
  const { id, severity, hostname, procname, rule, lastSeen } = detection;
  if (cause === 'closed') return { event_action: 'resolve', dedup_key: id };
  return {
    event_action: 'trigger',
    dedup_key: cause === 'test' ? messageId(message) : id,
    client: 'Trapline',
    payload: {
      summary: messageTitle(message, 1_024),
      source: shortened(plainText(hostname ?? 'unknown'), 255),
      severity: SEVERITIES[severity],
      timestamp: lastSeen,
      ...(procname === null ? {} : { component: shortened(plainText(procname), 255) }),
      class: rule.id,
      custom_details: {
        ...Object.fromEntries(messageFacts(message)),
        message: shortened(plainText(detection.message), 2_000),
      },
    },
  };
}
