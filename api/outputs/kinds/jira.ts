import { z } from 'zod';
import type { OutboundResponse } from '#api/outbound/port.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { headerText, httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { messageLines, messageTitle } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import type { Output, OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { basicAuthorization, jsonOf, oneByOne, sendJson, urlBelow } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({
    title: 'Site',
    description: 'Address of the Jira Cloud site, such as https://example.atlassian.net',
  }),
  user: headerText.max(255).meta({ title: 'User', description: 'E-mail address of the account that creates issues' }),
  project: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,254}$/, 'must be the key of a project')
    .meta({ title: 'Project', description: 'Key of the project, such as SEC' }),
  issueType: storableText(60)
    .default('Task')
    .meta({ title: 'Issue type', description: 'Name of an issue type of the project' }),
});
const secrets = z.strictObject({
  token: headerText.meta({ title: 'API token', description: 'API token of the account' }),
});

export const kind = defineOutputKind({
  label: 'Jira',
  description: 'Creates an issue for each detection, and comments on it when the detection continues or is closed.',
  order: 15,
  settings,
  secrets,
  receiver: ['url', 'user'],
  open: ({ reach, settings, secrets }) => openJira(reach, settings, secrets),
});

/** Maximum number of recently created issues that are cached, because the search may not find them yet. */
const MAX_CREATED = 1_000;

/**
 * Uses the REST API v3. Jira has no idempotency key. The issue of a detection therefore has its id as a label, and a
 * search precedes the creation. The search finds an issue only some seconds after its creation, so the keys of created
 * issues are cached. 201 is success. 400 refuses the message. 429 and 5xx are retried. 401, 403 and 404 wait for a
 * correction by the operator.
 */
export function openJira(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url, user, project, issueType }: z.output<typeof settings>,
  { token }: z.output<typeof secrets>,
): Output {
  const headers = { authorization: basicAuthorization(user, token) };
  const created = new Map<string, string>();
  const post = async (path: string, body: object, signal: AbortSignal): Promise<OutboundResponse> => {
    const response = await sendJson(fetch, { url: urlBelow(url, path), headers, body }, signal);
    if (isSuccess(response)) return response;
    throw httpFailure(response, Date.now());
  };

  async function issueWith(label: string, signal: AbortSignal): Promise<string | undefined> {
    const jql = `project = "${project}" AND labels = "${label}"`;
    const found = jsonOf(await post('/rest/api/3/search/jql', { jql, maxResults: 1, fields: ['summary'] }, signal));
    const [issue] = (Array.isArray(found.issues) ? found.issues : []) as { readonly key?: string }[];
    return issue?.key;
  }

  function remember(label: string, key: string): void {
    if (created.size >= MAX_CREATED) created.delete(created.keys().next().value ?? '');
    created.set(label, key);
  }

  return oneByOne(async (message, signal) => {
    const label = labelOf(message);
    const key = created.get(label) ?? (await issueWith(label, signal));
    if (key === undefined) {
      const fields = {
        project: { key: project },
        issuetype: { name: issueType },
        summary: messageTitle(message, 255),
        description: documentOf(messageLines(message)),
        labels: ['trapline', label],
      };
      const response = await post('/rest/api/3/issue', { fields }, signal);
      const { key: made } = jsonOf(response);
      if (typeof made === 'string') remember(label, made);
      return { answer: answerLine(response) };
    }
    if (message.cause === 'opened' || message.cause === 'test') return { answer: `${key} exists` };
    const comment = { body: documentOf(`${messageTitle(message, 255)}\n${messageLines(message)}`) };
    await post(`/rest/api/3/issue/${encodeURIComponent(key)}/comment`, comment, signal).catch((error: unknown) => {
      // The issue may have been deleted: the next attempt searches for it.
      created.delete(label);
      throw error;
    });
    return { answer: `commented on ${key}` };
  });
}

/** Labels cannot contain spaces. */
function labelOf(message: OutputMessage): string {
  return message.cause === 'test' ? messageId(message).replaceAll(':', '-') : message.detection.id;
}

/** Returns an Atlassian document with text nodes only, in which nothing becomes a link or a mention. */
function documentOf(text: string): object {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const content = lines.map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }));
  return { type: 'doc', version: 1, content };
}
