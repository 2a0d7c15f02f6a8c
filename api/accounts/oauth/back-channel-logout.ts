import type { Audit } from '#api/audit/port.ts';
import { addressGroup } from '#api/http/limits/address-group.ts';
import { wholeSeconds } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import { endFederatedSessions } from '../tables/federated-sessions.ts';
import { insertLogoutToken } from '../tables/logout-tokens.ts';
import { LogoutRefusal } from './logout-token.ts';
import { type LogoutToken, ProviderUnavailable, type SignInProvider } from './provider.ts';
import { recordProviderRefusal } from './record-provider-refusal.ts';

/** Handles logout tokens of OpenID Connect providers (Back-Channel Logout 1.0). */
export interface BackChannelLogout {
  /** Ends the sessions that a token names. Undefined if there is no such provider or it cannot send tokens. */
  receive(request: LogoutTokenRequest): Promise<LogoutOutcome | undefined>;
}

export interface LogoutTokenRequest {
  readonly provider: string;
  readonly token: string;
  readonly origin: RequestOrigin;
}

export type LogoutOutcome =
  /** Also if the token names no active session. */
  | { readonly kind: 'ended'; readonly sessions: number }
  /** `message` describes the error of the token. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  | { readonly kind: 'provider-unavailable' };

export interface BackChannelLogoutDeps {
  readonly providers: readonly SignInProvider[];
  readonly database: Database;
  readonly audit: Audit;
  readonly shared: Pick<SharedState, 'windows'>;
  readonly announceEnded: AnnounceEnded;
  readonly logger: { warn(fields: object, message: string): void };
}

/**
 * Limit on rejected tokens per address. Accepted ones do not count: a provider may end the sessions of many people in a
 * short time.
 */
const REFUSALS = { limit: 20, windowMs: 10 * 60_000 };

export function createBackChannelLogout(deps: BackChannelLogoutDeps): BackChannelLogout {
  const { database, audit, announceEnded, logger } = deps;
  const byId = new Map(deps.providers.map((provider) => [provider.id, provider]));
  const limit = createRefusalLimit(deps.shared);

  async function end(token: LogoutToken, { provider, origin }: LogoutTokenRequest): Promise<LogoutOutcome> {
    const ended = await inTransaction(database, async (transaction) => {
      const { jti, expiresAt, subject, sid } = token;
      if (!(await insertLogoutToken(transaction, { provider, jti, expiresAt })))
        throw new LogoutRefusal('logout-replayed', 'the token was used before');
      const sessions = await endFederatedSessions(transaction, { provider, subject, sid });
      for (const [userId, count] of countsByUser(sessions))
        await audit.record(transaction, {
          actor: `provider:${provider}`,
          target: `user:${userId}`,
          action: 'session.end',
          diff: { sessions: { before: count, after: 0 } },
          origin,
        });
      return sessions;
    });
    for (const { id: sessionId } of ended) await announceEnded({ sessionId });
    return { kind: 'ended', sessions: ended.length };
  }

  async function refuse(
    { reason, message }: LogoutRefusal,
    { provider, origin }: LogoutTokenRequest,
  ): Promise<LogoutOutcome> {
    await limit.count(origin.ip);
    logger.warn({ provider, requestId: origin.requestId, reason: message }, 'logout token refused');
    await recordProviderRefusal({ database, audit }, { provider, reason, origin });
    return { kind: 'refused', message };
  }

  return {
    async receive(request) {
      const { provider: id, token, origin } = request;
      const provider = byId.get(id);
      if (provider?.verifyLogout === undefined) return undefined;
      const waitSeconds = await limit.waitSeconds(origin.ip);
      if (waitSeconds > 0) return { kind: 'too-many', retryAfterSeconds: waitSeconds };
      try {
        return await end(await provider.verifyLogout(token), request);
      } catch (error) {
        if (error instanceof LogoutRefusal) return refuse(error, request);
        if (!(error instanceof ProviderUnavailable)) throw error;
        logger.warn({ provider: id, requestId: origin.requestId, reason: error.message }, 'cannot verify logout token');
        return { kind: 'provider-unavailable' };
      }
    },
  };
}

/**
 * While Redis is unavailable nothing is counted: sessions that a provider ends must end. The general rate limits still
 * apply.
 */
function createRefusalLimit({ windows }: Pick<SharedState, 'windows'>) {
  const keyOf = (ip: string) => `logout-token:${addressGroup(ip)}`;
  const orNothing = (error: unknown) => {
    if (!(error instanceof SharedStateUnavailable)) throw error;
    return undefined;
  };
  return {
    async waitSeconds(ip: string): Promise<number> {
      const count = await windows.peek(keyOf(ip), REFUSALS).catch(orNothing);
      return count === undefined || count.allowed ? 0 : wholeSeconds(count.resetMs);
    },
    async count(ip: string): Promise<void> {
      await windows.take([{ key: keyOf(ip), ...REFUSALS }]).catch(orNothing);
    },
  };
}

function countsByUser(sessions: readonly { readonly userId: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { userId } of sessions) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}
