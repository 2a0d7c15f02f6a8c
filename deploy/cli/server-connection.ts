import { connectionProblem } from '#schemas/connection-problem.ts';
import type { Config } from '../config.ts';
import { findLocalServer } from '../local-server.ts';
import { readOperatorKey } from '../operator-key.ts';
import { traplineCommand } from '../trapline-command.ts';
import { CommandError } from './command-error.ts';
import { fetchFor } from './direct-fetch.ts';

export interface ServerConnection {
  readonly url: string;
  /**
   * Sends a request with the key; `path` begins with a slash. Throws a `CommandError` if the server is unreachable or
   * the status is not 2xx, with the message of the error envelope.
   */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** As `request`, without checking the status. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Status codes for an invalid filter and an unknown key: wrong usage and wrong configuration. */
const WRONG_USAGE: ReadonlySet<number> = new Set([400, 401]);

/**
 * Connects to `TRAPLINE_URL` with `TRAPLINE_API_KEY` if set, otherwise to the server started on this data directory
 * with its operator key.
 */
export async function connectToServer(config: Config): Promise<ServerConnection> {
  const local = (await findLocalServer(config.dataDir))?.url;
  const { url = local, apiKey } = config.server;
  if (url === undefined) {
    throw new CommandError(
      `no server runs on the data directory ${config.dataDir}: start one with \`${traplineCommand(config.dataDir)} start\`,\n` +
        'or set TRAPLINE_URL and TRAPLINE_API_KEY to reach another.',
      2,
    );
  }
  // The operator key is valid only for the server of this data directory, so it is sent to no other one.
  const key = apiKey ?? (url === local ? await readOperatorKey(config.dataDir) : undefined);
  if (key === undefined) throw new CommandError(`no key for ${url}: set TRAPLINE_API_KEY`, 2);

  const fetchDirectly = await fetchFor(url);
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-api-key', key);
    try {
      return await fetchDirectly(url + path, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new CommandError(`${url} cannot be reached: ${causeOf(error, url)}`);
    }
  };
  return {
    url,
    fetch: call,
    async request(path, init) {
      const response = await call(path, init);
      if (response.ok) return response;
      const message = `${url}${path.replace(/\?.*$/, '')}: ${await refusalOf(response)}`;
      throw new CommandError(message, WRONG_USAGE.has(response.status) ? 2 : 1);
    },
  };
}

function causeOf(error: unknown, url: string): string {
  const problem = connectionProblem(error, url);
  if (problem !== undefined) return problem;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error instanceof Error ? error.message : String(error);
}

async function refusalOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { issues, requestId } = JSON.parse(text) as {
      issues: { field: string; message: string; code: string }[];
      requestId: string;
    };
    const messages = issues
      .map(({ field, message }) => (field === '<root>' ? message : `${field}: ${message}`))
      .join('; ');
    return `${response.status} ${messages} (request ${requestId})`;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
