import { readFile } from 'node:fs/promises';
import { TOTP } from 'otpauth';
import type { BrowserContext } from 'playwright-core';
import type { Account, ConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';
import type { Made } from './every-page.ts';

/** An agent whose run waits for the approval of its call. */
const ASKS_FIRST = {
  slug: 'asks-first',
  name: 'Asks first',
  visibility: 'shared',
  config: { runtime: 'script', permissions: { default: 'ask' } },
};
const ISOLATE_HOST = new URL('../../../examples/workflows/isolate-host.yaml', import.meta.url);

/** Ids of the records that the dialogs show, in addition to those of the pages. */
export interface DialogSubjects extends Made {
  /** Id of an output whose receiver rejected a message. */
  readonly refusingOutput: string;
  readonly waitingRun: string;
  /** Id of an analyst with an authenticator app. */
  readonly otherUser: string;
}

/**
 * Creates the records that the dialogs need. `administrator` is signed in to `context`. `receiver` is the address of a
 * receiver that rejects every message.
 */
export async function makeDialogSubjects(
  server: ConsoleServer,
  {
    made,
    context,
    administrator,
    receiver,
  }: {
    readonly made: Made;
    readonly context: BrowserContext;
    readonly administrator: Account;
    readonly receiver: string;
  },
): Promise<DialogSubjects> {
  const { operator } = server;
  const yamlContent = (await readFile(ISOLATE_HOST, 'utf8')).replace('hours: 4', 'hours: 8');
  await operator('PUT', '/api/v1/workflows/isolate-host', { yamlContent, visibility: 'shared' });
  await operator('PUT', '/api/v1/workflows/isolate-host/webhook');
  await operator('PUT', '/api/v1/agents/host-timeline/examples/first', {
    input: { hostname: 'web-1' },
    expected: {},
    comparison: 'subset',
  });
  await operator('PATCH', `/api/v1/agents/executions/${made.run}/feedback`, { body: 'complete', rating: 'pass' });
  await operator('POST', '/api/admin/teams', { name: 'responders' });
  await uploadFile(server, context, made.case);
  await addAuthenticatorApp(server, context, administrator);
  const refusingOutput = await refusedOutput(server, receiver);
  const { data } = (await operator('GET', '/api/detections')) as { data: { id: string }[] };
  return {
    ...made,
    // `refusedOutput` replays the demo, which gives its detection a new id.
    detection: data[0]?.id ?? made.detection,
    refusingOutput,
    waitingRun: await waitingRun(server),
    otherUser: await userWithAuthenticatorApp(server, context),
  };
}

async function uploadFile({ url }: ConsoleServer, { request }: BrowserContext, caseId: string): Promise<void> {
  const file = { name: 'access.log', mimeType: 'text/plain', buffer: Buffer.from('GET /') };
  const answer = await request.post(`${url}/api/cases/${caseId}/files`, { multipart: { file } });
  if (!answer.ok()) throw new Error(`the upload was answered ${answer.status()}: ${await answer.text()}`);
}

async function refusedOutput({ operator }: ConsoleServer, receiver: string): Promise<string> {
  const { id } = (await operator('POST', '/api/outputs', {
    type: 'webhook',
    name: 'Refusing receiver',
    settings: { url: receiver },
    secrets: { signingKey: 'signs-what-is-sent-0123' },
  })) as { id: string };
  // The replay creates new detections, which the output delivers.
  await operator('DELETE', '/api/demo');
  await operator('POST', '/api/demo');
  await waitFor('a refused message', async () => {
    const { deadLetters } = (await operator('GET', `/api/outputs/${id}/deliveries`)) as {
      deadLetters: { data: object[] };
    };
    return deadLetters.data.length > 0 ? deadLetters : undefined;
  });
  return id;
}

async function waitingRun({ operator }: ConsoleServer): Promise<string> {
  await operator('POST', '/api/v1/agents', ASKS_FIRST);
  await operator('POST', '/api/v1/agents/asks-first/files', {
    files: [{ path: 'agent.js', content: "await tools.detections.list({ hostname: 'web-1' });" }],
  });
  const { executionId } = (await operator('POST', '/api/v1/agents/asks-first/run', { input: {} })) as {
    executionId: string;
  };
  await waitFor('the run to wait', async () => {
    const { status } = (await operator('GET', `/api/v1/executions/${executionId}`)) as { status: string };
    return status === 'waiting' ? status : undefined;
  });
  return executionId;
}

async function userWithAuthenticatorApp(server: ConsoleServer, context: BrowserContext): Promise<string> {
  const analyst = await server.account('analyst');
  const own = await context.browser()?.newContext();
  if (own === undefined) throw new Error('the browser is closed');
  const { email, password } = analyst;
  await own.request.post(`${server.url}/api/auth/callback/credentials`, { data: { email, password } });
  await addAuthenticatorApp(server, own, analyst);
  await own.close();
  return analyst.id;
}

/** Adds an authenticator app to the account that is signed in to the context. */
async function addAuthenticatorApp(
  { url }: ConsoleServer,
  { request }: BrowserContext,
  { password }: Account,
): Promise<void> {
  const post = async (path: string, data?: object) => {
    const answer = await request.post(`${url}/api/user/second-factor${path}`, data === undefined ? {} : { data });
    if (!answer.ok()) throw new Error(`${path} was answered ${answer.status()}: ${await answer.text()}`);
    return answer;
  };
  await post('/confirm', { password });
  const { secret } = (await (await post('/totp')).json()) as { secret: string };
  await post('/totp/confirm', { code: new TOTP({ secret }).generate() });
}
