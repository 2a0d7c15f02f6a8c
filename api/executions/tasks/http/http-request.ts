import type { OutboundRequest } from '../../../outbound/port.ts';
import { CAUSATION_HEADER } from '../../engine/causation.ts';
import type { ExternalTask, HttpAuthentication, SecretReference } from '../../engine/port.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { credentialsOf } from '../redact.ts';
import { type ResolveSecrets, secretsOf, type TaskSecrets } from '../secrets.ts';
import { isFileReference, type TaskFiles } from '../task-files.ts';
import type { ClientCredentials } from './access-tokens.ts';

export type HttpTask = Extract<ExternalTask, { kind: 'http' }>;

type OAuth2 = Extract<HttpAuthentication, { scheme: 'oauth2' }>;

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** It is in memory while it is sent. */
const MAX_FILE_BYTES = 16 * 2 ** 20;
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The request a task asks for, with its secrets in it, and what those are. */
export async function httpRequestOf(
  task: HttpTask,
  context: TaskContext,
  { resolveSecrets, files }: { readonly resolveSecrets: ResolveSecrets; readonly files: TaskFiles },
): Promise<{
  readonly request: OutboundRequest;
  readonly secrets: readonly string[];
  /** An access token is to be fetched with, and sent along. */
  readonly credentials?: ClientCredentials;
}> {
  const { authentication } = task;
  const secrets = await secretsOf(
    [task.headers, task.query, task.body, ...(authentication === undefined ? [] : referencesOf(authentication))],
    context,
    resolveSecrets,
  );
  const method = task.method.toUpperCase();
  if (!METHODS.has(method)) throw taskFailure('configuration', context.step, `the method ${method} is not sent`);

  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(task.headers)) headers[name.toLowerCase()] = secrets.text(value);
  if (authentication !== undefined && authentication.scheme !== 'oauth2')
    headers.authorization = authorizationOf(authentication, secrets, context);
  // The definition may have a better one, which the service knows.
  headers['idempotency-key'] ??= context.idempotencyKey;
  headers[CAUSATION_HEADER] = String(context.causation);
  headers['user-agent'] ??= 'trapline';
  headers.accept ??= 'application/json, text/*;q=0.9, */*;q=0.8';

  const body = BODILESS.has(method)
    ? undefined
    : ((await fileOf(task.body, headers, context, files)) ?? bodyOf(task, headers, secrets));
  const request: OutboundRequest = {
    url: urlOf(task, secrets, context),
    method: method as NonNullable<OutboundRequest['method']>,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: context.signal,
  };
  const used = secrets.used();
  if (authentication?.scheme !== 'oauth2') return { request, secrets: used };
  return { request, secrets: used, credentials: credentialsWith(authentication, secrets) };
}

function urlOf({ endpoint, query }: HttpTask, secrets: TaskSecrets, { step }: TaskContext): string {
  const url = URL.parse(endpoint);
  if (url === null) throw taskFailure('configuration', step, 'the endpoint is no address');
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, secrets.text(value));
  return url.href;
}

function bodyOf({ body }: HttpTask, headers: Record<string, string>, secrets: TaskSecrets): string | undefined {
  if (body === undefined || body === null) return undefined;
  const filled = secrets.fill(body);
  if (typeof filled === 'string') {
    headers['content-type'] ??= 'text/plain; charset=utf-8';
    return filled;
  }
  headers['content-type'] ??= 'application/json';
  return JSON.stringify(filled);
}

/** A body that is the reference to a file of the run and nothing else is that file. */
async function fileOf(
  body: JsonValue | undefined,
  headers: Record<string, string>,
  { executionId, step }: TaskContext,
  files: TaskFiles,
): Promise<Uint8Array | undefined> {
  if (!isFileReference(body)) return undefined;
  const file = await files.find(executionId, body.file);
  if (file === undefined || file.contentHash !== body.sha256) return undefined;
  if (file.size > MAX_FILE_BYTES)
    throw taskFailure('configuration', step, `a file that is sent has at most ${MAX_FILE_BYTES} bytes`);
  headers['content-type'] ??= file.contentType;
  return files.read(file);
}

function credentialsWith(authentication: OAuth2, secrets: TaskSecrets): ClientCredentials {
  const { scheme: _scheme, clientId, clientSecret, ...rest } = authentication;
  return { ...rest, clientId: secrets.text(clientId), clientSecret: secrets.text(clientSecret) };
}

function authorizationOf(
  authentication: Exclude<HttpAuthentication, OAuth2>,
  secrets: TaskSecrets,
  { step }: TaskContext,
): string {
  if (authentication.scheme === 'bearer')
    return `Bearer ${'secret' in authentication ? secrets.named(authentication.secret) : secrets.text(authentication.token)}`;
  const { username, password } =
    'secret' in authentication
      ? pairOf(secrets.named(authentication.secret), authentication.secret, step)
      : { username: secrets.text(authentication.username), password: secrets.text(authentication.password) };
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function pairOf(secret: string, name: string, step: string) {
  const pair = credentialsOf(secret);
  if (pair === undefined)
    throw taskFailure('configuration', step, `the secret ${name} is no JSON of username and password`);
  return pair;
}

function referencesOf(authentication: HttpAuthentication): (string | SecretReference)[] {
  if (authentication.scheme === 'oauth2') return [authentication.clientId, authentication.clientSecret];
  if ('secret' in authentication) return [{ $secret: authentication.secret }];
  return authentication.scheme === 'bearer'
    ? [authentication.token]
    : [authentication.username, authentication.password];
}
