import { randomBytes } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { withinCallbackLimit } from '../oauth/callback-limit.ts';
import { DEFAULT_POLICY } from '../oauth/provider-policy.ts';
import { recordProviderRefusal } from '../oauth/record-provider-refusal.ts';
import type { RefusedSignIn } from '../oauth/refused-sign-in.ts';
import type { Settled, SettleRequest } from '../oauth/settle.ts';
import type { CompletedSignIn } from '../oauth/sign-in.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import { findIdentityOwner } from '../tables/oauth-identities.ts';
import { insertSamlAssertion } from '../tables/saml-assertions.ts';
import { deleteSessionsOf } from '../tables/sessions.ts';
import type { LogoutMessage } from './logout-request.ts';
import type { Outgoing, PostForm, SamlLogout } from './saml-logout.ts';
import type { SamlProvider } from './saml-provider.ts';
import { SamlRefusal } from './saml-refusal.ts';

/** Handles responses of SAML identity providers. */
export interface SamlCallback {
  /** Undefined if there is no such provider. */
  receive(response: SamlResponse): Promise<ReceivedResponse | undefined>;
  /**
   * Handles a request of an identity provider to end the sessions of a person, or its response to such a request of
   * this service. Undefined if there is no such provider, or it may not send them.
   */
  signOut(request: SamlSignOut): Promise<EndedSessions | RefusedSignIn | undefined>;
  /**
   * Returns the form with a logout request, for a sign-out at this service. Undefined if there is no such provider, or
   * the request is too old.
   */
  signOutForm(provider: string, sealed: string): PostForm | undefined;
  /** Returns the metadata of this service for an identity provider. Undefined if there is no such provider. */
  metadata(provider: string): string | undefined;
}

export interface SamlResponse {
  readonly provider: string;
  /** `SAMLResponse` of the form. */
  readonly response: string;
  readonly relayState: string | undefined;
  readonly origin: RequestOrigin;
}

export interface SamlSignOut {
  readonly provider: string;
  readonly message: LogoutMessage;
  readonly origin: RequestOrigin;
}

/** The sessions have ended. The browser takes the response to the provider, or has returned from it. */
export interface EndedSessions {
  readonly kind: 'ended';
  readonly next: Outgoing;
}

export type ReceivedResponse =
  /** The response is verified. The callback URL, which receives the cookie, checks that it belongs to this browser. */
  | { readonly kind: 'continue'; readonly location: string }
  /** A response without a request, from a provider that may send them. */
  | Exclude<CompletedSignIn, RefusedSignIn>
  | RefusedSignIn;

export interface SamlCallbackDeps {
  readonly providers: readonly SamlProvider[];
  readonly shared: Pick<SharedState, 'windows'>;
  readonly database: Database;
  readonly audit: Audit;
  readonly settle: (request: SettleRequest) => Promise<Settled>;
  readonly announceEnded: AnnounceEnded;
  readonly logger: { warn(fields: object, message: string): void };
}

type Message = Pick<SamlResponse, 'provider' | 'origin'>;

/**
 * Receives the responses that browsers post for an identity provider. Such a request comes from another site, so it
 * does not carry the cookie of the sign-in. The verified account is stored in the database under a code, and a redirect
 * to the common callback continues there.
 */
export function createSamlCallback(deps: SamlCallbackDeps): SamlCallback {
  const byId = new Map(deps.providers.map((provider) => [provider.id, provider]));

  async function accept(provider: SamlProvider, request: SamlResponse): Promise<ReceivedResponse> {
    const { id, inResponseTo, expiresAt, account } = await provider.verify(request.response);
    const assertion = { provider: provider.id, assertionId: id, expiresAt };
    const code = randomBytes(32).toString('base64url');
    if (inResponseTo !== undefined) {
      const { attributes = new Map<string, readonly string[]>(), ...rest } = account;
      const waiting = { ...rest, attributes: [...attributes] };
      if (!(await insertSamlAssertion(deps.database, assertion, { code, requestId: inResponseTo, account: waiting })))
        throw new SamlRefusal('saml-replayed', 'the assertion was accepted before');
      const query = new URLSearchParams({ code, state: request.relayState ?? '' });
      return { kind: 'continue', location: `/api/auth/callback/${provider.id}?${query}` };
    }
    if (!provider.config.idpInitiated)
      throw new SamlRefusal('saml-unsolicited', 'the response answers no request of this service');
    if (!(await insertSamlAssertion(deps.database, assertion)))
      throw new SamlRefusal('saml-replayed', 'the assertion was accepted before');
    const policy = provider.policy ?? DEFAULT_POLICY;
    const { relayState = '', origin } = request;
    const returnTo = provider.config.returnPaths.includes(relayState) ? relayState : '/';
    const settled = await deps.settle({ provider: provider.id, account, returnTo, policy, origin });
    if (settled.kind === 'reject') return { kind: 'refused', refusal: 'not-permitted' };
    return { ...settled, returnTo };
  }

  /** Ends all sessions of the account with this NameID. */
  async function endSessions(logout: SamlLogout, { provider, message, origin }: SamlSignOut): Promise<EndedSessions> {
    const request = logout.verify(message);
    const userId = await inTransaction(deps.database, async (transaction) => {
      const used = { provider, assertionId: request.id, expiresAt: request.expiresAt };
      if (!(await insertSamlAssertion(transaction, used)))
        throw new SamlRefusal('saml-replayed', 'the request was accepted before');
      const owner = await findIdentityOwner(transaction, provider, request.nameId);
      if (owner === undefined) return undefined;
      const ended = await deleteSessionsOf(transaction, owner.id);
      await deps.audit.record(transaction, {
        actor: `provider:${provider}`,
        target: `user:${owner.id}`,
        action: 'session.end',
        diff: { sessions: { before: ended, after: 0 } },
        origin,
      });
      return owner.id;
    });
    if (userId !== undefined) await deps.announceEnded({ userId });
    return { kind: 'ended', next: await logout.answer(request) };
  }

  async function refuse({ reason, message }: SamlRefusal, { provider, origin }: Message): Promise<RefusedSignIn> {
    deps.logger.warn({ provider, requestId: origin.requestId, reason: message }, 'SAML message refused');
    await recordProviderRefusal(deps, { provider, reason, origin });
    return { kind: 'refused', refusal: 'start-over' };
  }

  /** Records the refusal of a message and returns it as the outcome. */
  function orRefuse<Outcome>(work: Promise<Outcome>, message: Message): Promise<Outcome | RefusedSignIn> {
    return work.catch((error: unknown) => {
      if (error instanceof SamlRefusal) return refuse(error, message);
      throw error;
    });
  }

  return {
    metadata: (id) => byId.get(id)?.metadata(),
    signOutForm: (id, sealed) => byId.get(id)?.logout?.requestForm(sealed),
    async signOut(request) {
      const logout = byId.get(request.provider)?.logout;
      if (logout === undefined) return undefined;
      const { message } = request;
      const isAnswer =
        typeof message === 'string'
          ? new URLSearchParams(message).has('SAMLResponse')
          : message.SAMLResponse !== undefined;
      const read = () => (isAnswer ? readAnswer(logout, request, deps.logger) : endSessions(logout, request));
      const step = () => orRefuse(read(), request);
      return withinCallbackLimit(deps.shared, request.origin.ip, step, ({ kind }) => kind === 'ended');
    },
    async receive(request) {
      const provider = byId.get(request.provider);
      if (provider === undefined) return undefined;
      const step = () => orRefuse(accept(provider, request), request);
      return withinCallbackLimit(
        deps.shared,
        request.origin.ip,
        step,
        ({ kind }) => kind !== 'refused' && kind !== 'continue',
      );
    },
  };
}

/**
 * Handles the response to a request of this service. The local session ended before the request, so the response
 * changes nothing here.
 */
async function readAnswer(
  logout: SamlLogout,
  { provider, message, origin }: SamlSignOut,
  logger: SamlCallbackDeps['logger'],
): Promise<EndedSessions> {
  if (!logout.verifyAnswer(message).complete)
    logger.warn({ provider, requestId: origin.requestId }, 'the identity provider did not end all sessions');
  return { kind: 'ended', next: { kind: 'redirect', location: '/sign-in' } };
}
