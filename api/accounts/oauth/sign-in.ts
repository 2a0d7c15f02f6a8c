import { createHash, randomBytes } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { localPath } from '#schemas/api/return-path.ts';
import { withinCallbackLimit } from './callback-limit.ts';
import { PENDING_SIGN_IN_SECONDS, type PendingSignIn, type PendingSignIns } from './pending-sign-in.ts';
import { type ProviderAccount, ProviderRefusal, ProviderUnavailable, type SignInProvider } from './provider.ts';
import { DEFAULT_POLICY } from './provider-policy.ts';
import { recordProviderRefusal } from './record-provider-refusal.ts';
import type { RefusedSignIn } from './refused-sign-in.ts';
import type { Settled, SettleRequest } from './settle.ts';

/** Sign-in with a provider: the redirect to it, and its callback. */
export interface OAuthSignIn {
  /** Enabled providers, in display order. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  /**
   * Undefined if there is no such provider.
   * @param returnTo path of this site to open afterwards; any other value counts as `/`
   */
  begin(provider: string, returnTo: string | undefined): Promise<BegunSignIn | RefusedSignIn | undefined>;
  /**
   * Undefined if there is no such provider. Decisions are in the audit log; refusals include their reason. Not recorded
   * are requests without a decision: the provider or a store is unavailable, or the address exceeds its limit.
   */
  complete(callback: SignInCallback): Promise<CompletedSignIn | undefined>;
}

export interface BegunSignIn {
  readonly kind: 'begun';
  /** URL to which the browser is redirected. */
  readonly location: string;
  /** Value of the cookie that the callback must return. */
  readonly sealed: string;
}

export interface SignInCallback {
  readonly provider: string;
  /** Query string of the callback, unchanged, without `?`. */
  readonly query: string;
  /** The cookie of `begin`. */
  readonly sealed: string | undefined;
  readonly origin: RequestOrigin;
}

export type CompletedSignIn = (Exclude<Settled, { kind: 'reject' }> & { readonly returnTo: string }) | RefusedSignIn;

export interface OAuthSignInDeps {
  readonly providers: readonly SignInProvider[];
  readonly pending: PendingSignIns;
  readonly shared: SharedState;
  readonly database: Database;
  readonly audit: Audit;
  readonly settle: (request: SettleRequest) => Promise<Settled>;
  /** Returns the public URL of the server, without a trailing slash. */
  readonly publicUrl: () => string;
  readonly logger: { warn(fields: object, message: string): void };
}

/** Why a callback was refused before the person was identified. */
type CallbackFault = 'no-pending-sign-in' | 'state-mismatch' | 'replayed' | 'denied' | 'invalid-response';

const PROVIDER_RETRY_SECONDS = 30;

/**
 * Handles a callback in these steps. The cookie must be valid and belong to this provider, and its state must match the
 * URL and be unused. Then the code is exchanged, and the linking rule decides about the account.
 */
export function createOAuthSignIn(deps: OAuthSignInDeps): OAuthSignIn {
  const byId = new Map(deps.providers.map((provider) => [provider.id, provider]));
  const redirectUri = (provider: string) => `${deps.publicUrl()}/api/auth/callback/${provider}`;

  async function refuse(reason: CallbackFault, { provider, origin }: SignInCallback): Promise<CompletedSignIn> {
    await recordProviderRefusal(deps, { provider, reason, origin });
    return { kind: 'refused', refusal: 'start-over' };
  }

  function providerUnavailable({ id }: SignInProvider, { message }: ProviderUnavailable): RefusedSignIn {
    deps.logger.warn({ provider: id, reason: message }, 'identity provider is unavailable');
    return { kind: 'refused', refusal: 'provider-unavailable', retryAfterSeconds: PROVIDER_RETRY_SECONDS };
  }

  /** Rejects with `SharedStateUnavailable`: without the shared state the server cannot detect a replayed callback. */
  function firstUse({ state }: PendingSignIn): Promise<boolean> {
    const id = createHash('sha256').update(state).digest('base64url');
    return deps.shared.cache.setIfAbsent(`oauth-state:${id}`, '1', PENDING_SIGN_IN_SECONDS * 1_000);
  }

  return {
    providers: deps.providers.map(({ id, name }) => ({ id, name })),

    async begin(id, returnTo) {
      const provider = byId.get(id);
      if (provider === undefined) return undefined;
      const attempt = {
        redirectUri: redirectUri(id),
        state: unguessable(),
        nonce: unguessable(),
        codeVerifier: unguessable(),
      };
      let location: URL;
      try {
        location = await provider.authorizationUrl(attempt);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        return providerUnavailable(provider, error);
      }
      const { state, nonce, codeVerifier } = attempt;
      const path = localPath(returnTo ?? '/') ?? '/';
      const sealed = await deps.pending.seal({ provider: id, state, nonce, codeVerifier, returnTo: path });
      return { kind: 'begun', location: location.href, sealed };
    },

    async complete(callback) {
      const provider = byId.get(callback.provider);
      if (provider === undefined) return undefined;
      return withinCallbackLimit(
        deps.shared,
        callback.origin.ip,
        () => completeWith(provider, callback),
        ({ kind }) => kind !== 'refused',
      );
    },
  };

  async function completeWith(provider: SignInProvider, callback: SignInCallback): Promise<CompletedSignIn> {
    const pending = callback.sealed === undefined ? undefined : await deps.pending.open(callback.sealed);
    if (pending === undefined || pending.provider !== provider.id) return refuse('no-pending-sign-in', callback);
    const parameters = new URLSearchParams(callback.query);
    if (parameters.get('state') !== pending.state) return refuse('state-mismatch', callback);
    if (!(await firstUse(pending))) return refuse('replayed', callback);

    const attempt = { ...pending, redirectUri: redirectUri(provider.id) };
    let account: ProviderAccount;
    try {
      account = await provider.account(new URL(`${attempt.redirectUri}?${parameters}`), attempt);
    } catch (error) {
      if (error instanceof ProviderUnavailable) return providerUnavailable(provider, error);
      if (!(error instanceof ProviderRefusal)) throw error;
      const { requestId } = callback.origin;
      deps.logger.warn({ provider: provider.id, requestId, reason: error.message }, 'a provider sign-in was refused');
      return refuse(error.reason, callback);
    }
    const { returnTo } = pending;
    const settled = await deps.settle({
      provider: provider.id,
      account,
      returnTo,
      policy: provider.policy ?? DEFAULT_POLICY,
      origin: callback.origin,
    });
    if (settled.kind === 'reject') return { kind: 'refused', refusal: 'not-permitted' };
    return { ...settled, returnTo };
  }
}

/** 43 characters, the minimum of a code verifier (RFC 7636, 4.1). */
function unguessable(): string {
  return randomBytes(32).toString('base64url');
}
