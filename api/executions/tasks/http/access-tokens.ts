import { createHash } from 'node:crypto';
import { OutboundFailure, type OutboundFetch, type OutboundResponse } from '#api/outbound/port.ts';
import { taskFailure } from '../failures.ts';
import { type TokenPolicy, tokenRequestOf } from './token-request.ts';

export interface AccessTokens {
  /**
   * Returns a token that stays valid for some time. Rejects with `TaskFailure`, whose message contains nothing of the
   * request or response.
   */
  get(
    policy: TokenPolicy,
    of: TokenWish,
  ): Promise<{
    readonly token: string;
    /** True if it was cached. */
    readonly kept: boolean;
  }>;
  /** Removes a token that the service no longer accepts. */
  forget(policy: TokenPolicy, token: string): void;
}

export interface TokenWish {
  readonly step: string;
  readonly signal: AbortSignal;
  /** Throws if the secrets of the policy may not be sent to an address. */
  readonly requireAddress: (address: string) => void;
}

const TIMEOUT_MS = 30_000;
const ANSWER_BYTES = 256 * 1024;
/** A token is not used in this time before its end, because the call takes some time to arrive. */
const EARLY_MS = 30_000;
const MAX_MS = 24 * 3_600_000;
const DISCOVERY_MS = 3_600_000;
const MAX_KEPT = 1_000;

/**
 * Fetches tokens through the outbound guard. Caches tokens with a known validity in memory. The cache key is a digest
 * of the credentials, so the same credentials share a token.
 */
export function createAccessTokens({ fetch }: { readonly fetch: OutboundFetch }): AccessTokens {
  const kept = new Map<string, { readonly token: string; readonly until: number }>();
  const discovered = new Map<string, { readonly url: string; readonly until: number }>();

  /** Returns the token endpoint from the OpenID Connect discovery document. */
  async function tokenUrlOf(policy: TokenPolicy, step: string, signal: AbortSignal): Promise<string> {
    if (policy.discover !== true) return policy.tokenUrl;
    const known = discovered.get(policy.tokenUrl);
    if (known !== undefined && known.until > Date.now()) return known.url;
    const request = { url: policy.tokenUrl, method: 'GET', headers: { accept: 'application/json' } } as const;
    const { status, body } = await send(fetch, request, step, signal);
    const { token_endpoint: url } = parse(body);
    if (status !== 200 || typeof url !== 'string' || URL.parse(url) === null)
      throw taskFailure('authentication', step, `the discovery document has no token endpoint: status ${status}`);
    discovered.set(policy.tokenUrl, { url, until: Date.now() + DISCOVERY_MS });
    if (discovered.size > MAX_KEPT) discovered.delete(discovered.keys().next().value as string);
    return url;
  }

  return {
    async get(policy, { step, signal, requireAddress }) {
      requireAddress(policy.tokenUrl);
      const key = keyOf(policy);
      const known = kept.get(key);
      if (known !== undefined && known.until > Date.now()) return { token: known.token, kept: true };
      kept.delete(key);
      const url = await tokenUrlOf(policy, step, signal);
      requireAddress(url);
      const { token, seconds } = await ask(fetch, url, policy, step, signal);
      const goodFor = Math.min((seconds ?? 0) * 1_000, MAX_MS) - EARLY_MS;
      if (goodFor > 0) kept.set(key, { token, until: Date.now() + goodFor });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
      return { token, kept: false };
    },
    forget(policy, token) {
      const key = keyOf(policy);
      if (kept.get(key)?.token === token) kept.delete(key);
    },
  };
}

async function ask(
  fetch: OutboundFetch,
  url: string,
  policy: TokenPolicy,
  step: string,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly seconds: number | undefined }> {
  const problem = (detail: string) => taskFailure('configuration', step, detail);
  const { status, body } = await send(fetch, await tokenRequestOf(policy, url, problem), step, signal);
  const answer = parse(body);
  const { access_token: token, token_type: type = 'Bearer', expires_in: seconds, error } = answer;
  if (status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    // Includes only a standard error code, because other text of a service may repeat the request.
    const why = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : '';
    const failed = status >= 500 || status === 429 ? 'communication' : 'authentication';
    throw taskFailure(failed, step, `no access token: the response was ${status}${why}`, {
      status: failed === 'authentication' ? 401 : status,
    });
  }
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw taskFailure('authentication', step, 'the access token is not a bearer token');
  if (policy.issuers !== undefined && !policy.issuers.includes(issuerOf(token) ?? ''))
    throw taskFailure('authentication', step, 'the issuer of the access token is not one of `issuers`');
  return { token, seconds: typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined };
}

/** Returns the issuer of a JWT; undefined for any other token. */
function issuerOf(token: string): string | undefined {
  const [, payload] = token.split('.');
  const { iss } = payload === undefined ? {} : parse(Buffer.from(payload, 'base64url'));
  return typeof iss === 'string' ? iss : undefined;
}

async function send(
  fetch: OutboundFetch,
  request: Parameters<OutboundFetch>[0],
  step: string,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  return fetch({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof OutboundFailure)) throw error;
    const forbidden = error.reason.startsWith('forbidden');
    const kind = forbidden ? 'authorization' : error.reason === 'timeout' ? 'timeout' : 'communication';
    throw taskFailure(kind, step, `no access token: ${error.message}`);
  });
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function keyOf(policy: TokenPolicy): string {
  return createHash('sha256')
    .update(JSON.stringify(policy, Object.keys(policy).concat('token', 'type').sort()))
    .digest('hex');
}
