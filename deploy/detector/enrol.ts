import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../cli/command-error.ts';

const MAX_ANSWER_BYTES = 65_536;
const TIMEOUT_MS = 15_000;

export interface EnrolOptions {
  /** URL of the server. */
  readonly url: URL;
  readonly token: string;
  readonly hostname: string;
  readonly version: string;
  /** File for the key, readable only by its owner. */
  readonly keyFile: string;
}

/**
 * Exchanges a one-time token for the key of this host and writes it to `keyFile`. The file is created before the
 * exchange, so that the token is not used if the key cannot be stored. Throws a `CommandError` if the server rejects
 * the token.
 */
export async function enrol({ url, token, hostname, version, keyFile }: EnrolOptions): Promise<void> {
  const next = `${keyFile}.next`;
  const file = await open(next, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`cannot write ${next} (${error.code})`, 2);
  });
  try {
    const { status, body } = await post(new URL('/api/detectors/enrolment', url), { token, hostname, version });
    if (status !== 201) throw new CommandError(`${url.origin} refused the enrolment: ${status} ${refusalOf(body)}`);
    const { apiKey } = JSON.parse(body) as { readonly apiKey: string };
    await file.writeFile(`${apiKey}\n`);
    await file.datasync();
  } catch (error) {
    await rm(next);
    throw error;
  } finally {
    await file.close();
  }
  await rename(next, keyFile);
}

function post(url: URL, value: object): Promise<{ readonly status: number; readonly body: string }> {
  // Loaded by name at run time; `createPoster` states the reason.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly body: string }>();
  const fail = (error: NodeJS.ErrnoException): void =>
    reject(new CommandError(`${url.origin} cannot be reached (${error.code ?? error.name})`));
  const body = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const outgoing = request(url, { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      if (text.length < MAX_ANSWER_BYTES) text += chunk;
    });
    answer.on('error', fail);
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
  });
  outgoing.on('error', fail);
  outgoing.end(body);
  return promise;
}

function refusalOf(body: string): string {
  try {
    const { issues } = JSON.parse(body) as { readonly issues: readonly { readonly message: string }[] };
    return issues.map(({ message }) => message).join('; ');
  } catch {
    return '';
  }
}
