import type { SessionCaller } from '#api/http/access/caller.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';
import { mayUseSession } from '../second-factor/second-step.ts';
import { insertFederatedSession, type SessionOrigin } from '../tables/federated-sessions.ts';
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  endOldestSessions,
  insertSession,
  userOfSession,
} from '../tables/sessions.ts';
import { createSessionTokens } from './session-token.ts';

/** Sessions. Each is a row, so that deleting it ends the session in every process. The token only names the row. */
export interface Sessions {
  /** Opens a session, in the transaction of the sign-in. */
  open(
    db: Db,
    user: { readonly id: string; readonly role: Role },
    origin: RequestOrigin,
    proof?: SessionProof,
  ): Promise<OpenedSession>;
  /**
   * Returns the caller of a cookie value with the current state of the account. Undefined if the session or the account
   * has ended. Needs one query.
   */
  authenticate(token: string): Promise<SessionCaller | undefined>;
  /** Ends a session. True if it existed. */
  end(sessionId: string, db?: Db): Promise<boolean>;
  /** Ends all sessions of a user except one. Resolves to the ids of the ended sessions. */
  endOthers(kept: { readonly userId: string; readonly sessionId: string }, db?: Db): Promise<string[]>;
  /** Ends all sessions of a user. Resolves to their number. */
  endAll(userId: string, db?: Db): Promise<number>;
}

/** How a session began. */
export interface SessionProof {
  readonly secondFactor: boolean;
  readonly providerSession?: Buffer | null;
  /** Set for a sign-in with an identity provider. */
  readonly federated?: SessionOrigin | undefined;
}

export interface OpenedSession {
  /** Value of the cookie. */
  readonly token: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

export interface SessionOptions {
  /** The first secret signs; tokens of the others are still accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** Lifetime of a session, regardless of its use. Default 12 hours: a working day. */
  readonly lifetimeSeconds?: number;
  /** Maximum number of sessions per user; another sign-in ends the oldest. Default 100. */
  readonly maxPerUser?: number;
  /** Roles whose sessions require a second factor. Default: none. */
  readonly secondFactorRoles?: readonly Role[];
}

const TWELVE_HOURS = 12 * 3600;
const MAX_PER_USER = 100;
const MAX_USER_AGENT_CHARACTERS = 512;

export function createSessions({ database }: { readonly database: Database }, options: SessionOptions): Sessions {
  const { secrets, lifetimeSeconds = TWELVE_HOURS, maxPerUser = MAX_PER_USER, secondFactorRoles = [] } = options;
  const tokens = createSessionTokens(secrets);
  return {
    async open(db, user, { ip, userAgent }, { secondFactor, providerSession, federated } = { secondFactor: false }) {
      const { id, expiresAt } = await insertSession(db, {
        userId: user.id,
        seconds: lifetimeSeconds,
        ip,
        userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS),
        secondFactor,
        providerSession: providerSession ?? null,
      });
      if (federated !== undefined) await insertFederatedSession(db, { sessionId: id, ...federated });
      await endOldestSessions(db, user.id, maxPerUser);
      return { token: await tokens.sign({ sid: id, role: user.role }, expiresAt), sessionId: id, expiresAt };
    },
    async authenticate(token) {
      const claims = await tokens.verify(token);
      if (claims === undefined) return undefined;
      const user = await userOfSession(database, claims.sid);
      if (user === undefined || !mayUseSession(user, secondFactorRoles)) return undefined;
      const { id: userId, username, email, role } = user;
      return { kind: 'session', userId, username, email, role, sessionId: claims.sid };
    },
    end: (sessionId, db = database) => deleteSession(db, sessionId),
    endOthers: ({ userId, sessionId }, db = database) => deleteOtherSessions(db, userId, sessionId),
    endAll: (userId, db = database) => deleteSessionsOf(db, userId),
  };
}
