import { createHash } from 'node:crypto';
import { OutboundFailure, type OutboundFetch } from '../../../outbound/port.ts';
import { taskFailure } from '../failures.ts';

/** OAuth 2.0, grant of client credentials (RFC 6749, 4.4), with its secrets put in. */
export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the client says who it is: in the header, or in the form. */
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post';
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
}

export interface AccessTokens {
  /** A token that is good for a while yet. Rejects with `TaskFailure`; no message of it holds what was sent or answered. */
  get(
    credentials: ClientCredentials,
    of: { readonly step: string; readonly signal: AbortSignal },
  ): Promise<{
    readonly token: string;
    /** It was there before. */
    readonly kept: boolean;
  }>;
  /** The service does not take it any more. */
  forget(credentials: ClientCredentials, token: string): void;
}

const TIMEOUT_MS = 30_000;
const ANSWER_BYTES = 256 * 1024;
/** Before its end a token is not used any more: a call takes a while to get there. */
const EARLY_MS = 30_000;
const MAX_MS = 24 * 3_600_000;
const MAX_KEPT = 1_000;

/**
 * Fetches tokens through the outbound guard, and keeps in memory those that state how long they are valid. The same credentials get the same token; they
 * are known here by a digest.
 */
export function createAccessTokens({ fetch }: { readonly fetch: OutboundFetch }): AccessTokens {
  const kept = new Map<string, { readonly token: string; readonly until: number }>();

  return {
    async get(credentials, { step, signal }) {
      const key = keyOf(credentials);
      const known = kept.get(key);
      if (known !== undefined && known.until > Date.now()) return { token: known.token, kept: true };
      kept.delete(key);
      const { token, seconds } = await ask(fetch, credentials, step, signal);
      const goodFor = Math.min((seconds ?? 0) * 1_000, MAX_MS) - EARLY_MS;
      if (goodFor > 0) kept.set(key, { token, until: Date.now() + goodFor });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
      return { token, kept: false };
    },
    forget(credentials, token) {
      const key = keyOf(credentials);
      if (kept.get(key)?.token === token) kept.delete(key);
    },
  };
}

async function ask(
  fetch: OutboundFetch,
  { tokenUrl, clientId, clientSecret, clientAuthentication, scopes, audiences }: ClientCredentials,
  step: string,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly seconds: number | undefined }> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  for (const audience of audiences) form.append('audience', audience);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': 'trapline',
  };
  if (clientAuthentication === 'client_secret_basic')
    headers.authorization = `Basic ${Buffer.from(`${inForm(clientId)}:${inForm(clientSecret)}`).toString('base64')}`;
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const request = { url: tokenUrl, method: 'POST', headers, body: form.toString() } as const;
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, signal };
  const { status, body } = await fetch({ ...request, ...limits }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof OutboundFailure)) throw error;
    const forbidden = error.reason.startsWith('forbidden');
    const kind = forbidden ? 'authorization' : error.reason === 'timeout' ? 'timeout' : 'communication';
    throw taskFailure(kind, step, `no access token: ${error.message}`);
  });
  const answer = parse(body);
  const { access_token: token, token_type: type = 'Bearer', expires_in: seconds, error } = answer;
  if (status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    // An error code of the standard and nothing else: the other text of a service may repeat what it was sent.
    const why = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : '';
    const failed = status >= 500 || status === 429 ? 'communication' : 'authentication';
    throw taskFailure(failed, step, `no access token: the answer was ${status}${why}`, {
      status: failed === 'authentication' ? 401 : status,
    });
  }
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw taskFailure('authentication', step, 'the access token is no bearer token');
  return { token, seconds: typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined };
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** As RFC 6749 (2.3.1) has name and password written before they go into the header. */
function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function keyOf(credentials: ClientCredentials): string {
  const { tokenUrl, clientId, clientSecret, clientAuthentication, scopes, audiences } = credentials;
  const parts = [tokenUrl, clientId, clientSecret, clientAuthentication, [...scopes], [...audiences]];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
