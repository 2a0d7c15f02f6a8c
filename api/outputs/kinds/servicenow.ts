import { z } from 'zod';
import type { OutboundResponse } from '#api/outbound/port.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import type { Severity } from '#schemas/detection.ts';
import { headerText, httpUrl } from '../fields.ts';
import { httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { messageLines, messageTitle } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { basicAuthorization, jsonOf, oneByOne, sendJson, sendRequest, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({
    title: 'Instance',
    description: 'Address of the instance, such as https://example.service-now.com',
  }),
  user: headerText.max(255).meta({ title: 'User', description: 'Name of the account that creates records' }),
  table: z
    .string()
    .regex(/^[a-z][a-z0-9_]{1,79}$/, 'must be the name of a table')
    .default('incident')
    .meta({ title: 'Table', description: 'Name of the table, such as incident or sn_si_incident' }),
  assignmentGroup: storableText(100)
    .optional()
    .meta({ title: 'Assignment group', description: 'Name or sys_id of the group that gets the record' }),
});
const secrets = z.strictObject({
  password: headerText.meta({ title: 'Password', description: 'Password of the account' }),
});

export const kind = defineOutputKind({
  label: 'ServiceNow',
  description:
    'Creates an incident for each detection, and adds a work note when the detection continues or is closed.',
  order: 16,
  settings,
  secrets,
  receiver: ['url', 'user'],
  open: ({ reach, settings, secrets }) => openServiceNow(reach, settings, secrets),
});

/** Urgency and impact: 1 is high, 3 is low. */
const LEVELS: Readonly<Record<Severity, string>> = { critical: '1', high: '1', medium: '2', low: '3', info: '3' };

/**
 * Uses the Table API. ServiceNow has no idempotency key. A record therefore has the id of the detection as
 * `correlation_id`, and a search precedes the creation. 201 and 200 are success. 400 refuses the message. 429 and 5xx
 * are retried. 401, 403 and 404 wait for a correction by the operator.
 */
export function openServiceNow(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url, user, table, assignmentGroup }: z.output<typeof settings>,
  { password }: z.output<typeof secrets>,
): Output {
  const headers = { authorization: basicAuthorization(user, password), accept: 'application/json' };
  const base = urlBelow(url, `/api/now/table/${table}`);
  const succeeded = (response: OutboundResponse): OutboundResponse => {
    if (isSuccess(response)) return response;
    throw httpFailure(response, Date.now());
  };

  async function recordOf(correlationId: string, signal: AbortSignal): Promise<ServiceNowRecord | undefined> {
    const query = new URLSearchParams({
      sysparm_query: `correlation_id=${correlationId}`,
      sysparm_fields: 'sys_id,number',
      sysparm_limit: '1',
    });
    const { result } = jsonOf(succeeded(await sendRequest(fetch, { url: `${base}?${query}`, headers }, signal)));
    return Array.isArray(result) ? (result[0] as ServiceNowRecord | undefined) : undefined;
  }

  return oneByOne(async (message, signal) => {
    const { detection, cause } = message;
    const correlationId = cause === 'test' ? messageId(message) : detection.id;
    const record = await recordOf(correlationId, signal);
    if (record === undefined) {
      const level = LEVELS[detection.severity];
      const body = {
        short_description: messageTitle(message, 160),
        description: messageLines(message),
        correlation_id: correlationId,
        correlation_display: 'Trapline',
        urgency: level,
        impact: level,
        ...(assignmentGroup === undefined ? {} : { assignment_group: assignmentGroup }),
      };
      const { result } = jsonOf(succeeded(await sendJson(fetch, { url: base, headers, body }, signal)));
      return { answer: `created ${(result as ServiceNowRecord | undefined)?.number ?? 'a record'}` };
    }
    if (cause === 'opened' || cause === 'test') return { answer: `${record.number} exists` };
    const body = { work_notes: `${messageTitle(message, 160)}\n${messageLines(message)}` };
    succeeded(
      await sendJson(
        fetch,
        { url: `${base}/${encodeURIComponent(record.sys_id)}`, method: 'PATCH', headers, body },
        signal,
      ),
    );
    return { answer: `added a work note to ${record.number}` };
  });
}

interface ServiceNowRecord {
  readonly sys_id: string;
  readonly number: string;
}
