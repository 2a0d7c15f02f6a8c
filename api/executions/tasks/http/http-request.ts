import type { OutboundRequest } from '#api/outbound/port.ts';
import { CAUSATION_HEADER } from '../../engine/causation.ts';
import type { HttpTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { type ResolveSecrets, secretsOf, type TaskSecrets } from '../secrets.ts';
import { isFileReference, type TaskFiles } from '../task-files.ts';
import {
  type Authentication,
  certificateIn,
  referencesOf,
  resolveAuthentication,
  secretsIn,
} from './authentication.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Limited because the file is in memory while it is sent. */
const MAX_FILE_BYTES = 16 * 2 ** 20;
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Builds the request of a task with secrets resolved, and lists these secrets. */
export async function httpRequestOf(
  task: HttpTask,
  context: TaskContext,
  { resolveSecrets, files }: { readonly resolveSecrets: ResolveSecrets; readonly files: TaskFiles },
): Promise<{
  readonly request: OutboundRequest;
  readonly secrets: readonly string[];
  /** Authentication that needs its own exchange: a challenge, or an access token. */
  readonly authentication: Authentication | undefined;
  /** See `TaskSecrets`; used for the addresses of access tokens. */
  readonly requireAddress: TaskSecrets['requireAddress'];
}> {
  const { authentication } = task;
  const secrets = await secretsOf(
    [task.headers, task.query, task.body, referencesOf(authentication)],
    context,
    resolveSecrets,
  );
  const method = task.method.toUpperCase();
  if (!METHODS.has(method)) throw taskFailure('configuration', context.step, `the method ${method} is not allowed`);

  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(task.headers)) headers[name.toLowerCase()] = secrets.text(value);
  const resolved = await resolveAuthentication(authentication, secrets, context.step);
  if (resolved?.scheme === 'header') headers.authorization = resolved.value;
  // The definition may set a key of its own that the service knows.
  headers['idempotency-key'] ??= context.idempotencyKey;
  headers[CAUSATION_HEADER] = String(context.causation);
  headers['user-agent'] ??= 'trapline';
  headers.accept ??= 'application/json, text/*;q=0.9, */*;q=0.8';

  const body = BODILESS.has(method)
    ? undefined
    : ((await fileOf(task.body, headers, context, files)) ?? bodyOf(task, headers, secrets));
  const url = urlOf(task, secrets, context);
  secrets.requireAddress(url);
  const certificate = certificateIn(resolved, url.startsWith('https:'), context.step);
  const request: OutboundRequest = {
    url,
    method: method as NonNullable<OutboundRequest['method']>,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: context.signal,
    trace: context.trace,
    ...(certificate === undefined ? {} : { certificate }),
  };
  const { requireAddress } = secrets;
  return { request, secrets: [...secrets.used(), ...secretsIn(resolved)], authentication: resolved, requireAddress };
}

function urlOf({ endpoint, query }: HttpTask, secrets: TaskSecrets, { step }: TaskContext): string {
  const url = URL.parse(endpoint);
  if (url === null) throw taskFailure('configuration', step, 'the endpoint is not a valid address');
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

/** Returns the file if the body consists only of a reference to a file of the run. */
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
    throw taskFailure('configuration', step, `a file in a request has at most ${MAX_FILE_BYTES} bytes`);
  headers['content-type'] ??= file.contentType;
  return files.read(file);
}
