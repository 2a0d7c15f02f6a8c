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

/** Sign-ins. Each is a row, so that it ends everywhere when it ends; the token only names it. */
export interface Sessions {
  /** Begins a session, in the transaction of the sign-in. */
  open(
    db: Db,
    user: { readonly id: string; readonly role: Role },
    origin: RequestOrigin,
    proof?: SessionProof,
  ): Promise<OpenedSession>;
  /** Who a cookie's value stands for, as the account is now; undefined when the session or the account is over. One query. */
  authenticate(token: string): Promise<SessionCaller | undefined>;
  /** Ends one; true when it was there. */
  end(sessionId: string, db?: Db): Promise<boolean>;
  /** Ends all of a user except one; resolves to the ids of those that ended. */
  endOthers(kept: { readonly userId: string; readonly sessionId: string }, db?: Db): Promise<string[]>;
  /** Ends all of a user; resolves to how many there were. */
  endAll(userId: string, db?: Db): Promise<number>;
}

/** How a session began. */
export interface SessionProof {
  readonly secondFactor: boolean;
  readonly providerSession?: Buffer | null;
  /** Of a sign-in with an identity provider. */
  readonly federated?: SessionOrigin | undefined;
}

export interface OpenedSession {
  /** The cookie's value. */
  readonly token: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

export interface SessionOptions {
  /** The first signs; the others are still believed. */
  readonly secrets: readonly [string, ...string[]];
  /** Of a session, whatever is done in it. Default 12 hours: a working day. */
  readonly lifetimeSeconds?: number;
  /** Sessions of one user; a further one ends the oldest. Default 100. */
  readonly maxPerUser?: number;
  /** Roles whose sessions are accepted only after a second factor. Default: none. */
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
