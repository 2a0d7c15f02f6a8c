import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { CreatedApiKey, CreateKey, PreparedKey, PrepareKey } from '../keys/create-key.ts';
import type { OpenedSignIn, OpenSignIn } from '../second-factor/open-sign-in.ts';
import {
  findEmailOwner,
  findIdentityOwner,
  forgetFailuresOf,
  hasIdentity,
  insertIdentity,
  insertIdentityUser,
} from '../tables/oauth-identities.ts';
import { decideSignIn, type RejectReason } from './linking-rule.ts';
import type { ProviderAccount } from './provider.ts';
import { usernameCandidates } from './username.ts';

/** What a provider's account came to. */
export type Settled =
  | {
      readonly kind: 'sign-in' | 'link' | 'create';
      readonly user: SignedInUser;
      /** A session, or a sign-in that waits for a second factor. */
      readonly opened: OpenedSignIn;
      /** Of a new user; said this once. */
      readonly key?: CreatedApiKey;
    }
  | { readonly kind: 'reject'; readonly reason: RejectReason };

export interface SignedInUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
}

export interface SettleDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly openSignIn: OpenSignIn;
  readonly createKey: CreateKey;
  readonly prepareKey: PrepareKey;
  /** Whether the REGISTRATION setting lets this address (lower case) in. */
  readonly mayRegister: (email: string) => boolean;
}

export interface SettleRequest {
  /** Id of the provider. */
  readonly provider: string;
  /** Path of this site to open afterwards. */
  readonly returnTo?: string;
  readonly account: ProviderAccount;
  readonly origin: RequestOrigin;
}

/** Another sign-in with the same account or address was faster; looked at again, it is a plain sign-in or link. */
class Overtaken extends Error {}
/** The user has to be created and the key is not hashed yet: hashing takes too long for a transaction. */
class KeyNeeded extends Error {}

const MAX_TRIES = 5;
const DEFAULT_KEY_LABEL = 'default';

/** Applies the linking rule: what it decides, its audit entry and the session are one transaction. */
export function createSettle(deps: SettleDeps): (request: SettleRequest) => Promise<Settled> {
  return async (request) => {
    let prepared: PreparedKey | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        return await inTransaction(deps.database, (transaction) => settleIn(transaction, deps, request, prepared));
      } catch (error) {
        if (error instanceof KeyNeeded) prepared = await deps.prepareKey();
        else if (!(error instanceof Overtaken) || tries === MAX_TRIES) throw error;
      }
    }
  };
}

async function settleIn(
  db: Db,
  deps: SettleDeps,
  { provider, account, origin, returnTo }: SettleRequest,
  prepared: PreparedKey | undefined,
): Promise<Settled> {
  const { subject, email } = account;
  // In this order, each question by itself: what another sign-in has committed since the one is seen by the next, so that a user who
  // has just been made or linked is never found without the identity that created it.
  const emailOwner = email === undefined ? undefined : await findEmailOwner(db, email);
  const identityOwner = await findIdentityOwner(db, provider, subject);
  const emailOwnerLinked =
    identityOwner === undefined && emailOwner !== undefined && (await hasIdentity(db, provider, emailOwner.id));
  const decision = decideSignIn({
    account,
    identityOwner,
    emailOwner,
    emailOwnerLinked,
    mayRegister: email !== undefined && deps.mayRegister(email),
  });
  const identity = { provider: { after: provider }, subjectId: { after: subject } };

  switch (decision.kind) {
    case 'reject': {
      const target = decision.userId === undefined ? `provider:${provider}` : `user:${decision.userId}`;
      const diff = { ...identity, reason: { after: decision.reason } };
      await deps.audit.record(db, { actor: 'anonymous', target, action: 'oauth.reject', diff, origin });
      return { kind: 'reject', reason: decision.reason };
    }
    case 'sign-in': {
      return signIn('sign-in', identityOwner as SignedInUser);
    }
    case 'link': {
      const user = emailOwner as SignedInUser;
      if (!(await insertIdentity(db, { provider, subject, userId: user.id, email: decision.email })))
        throw new Overtaken();
      return signIn('link', user);
    }
    case 'create': {
      if (prepared === undefined) throw new KeyNeeded();
      const user = await insertUser(db, account.login, decision.email);
      if (!(await insertIdentity(db, { provider, subject, userId: user.id, email: decision.email })))
        throw new Overtaken();
      const key = await deps.createKey(db, { userId: user.id, label: DEFAULT_KEY_LABEL }, prepared);
      const settled = await signIn('create', user);
      await deps.audit.record(db, {
        actor: `user:${user.id}`,
        target: `key:${key.keyId}`,
        action: 'key.create',
        diff: {
          owner: { after: `user:${user.id}` },
          label: { after: DEFAULT_KEY_LABEL },
          scopes: { after: key.scopes },
        },
        origin,
      });
      return { ...settled, key };
    }
  }

  async function signIn(kind: 'sign-in' | 'link' | 'create', { id, username, role, ...user }: SignedInUser) {
    await forgetFailuresOf(db, id);
    const first = { method: `provider:${provider}`, ...(returnTo === undefined ? {} : { returnTo }) };
    const opened = await deps.openSignIn(db, { id, role }, first, origin);
    const made = kind === 'create' ? { username: { after: username }, email: { after: user.email } } : {};
    await deps.audit.record(db, {
      actor: `user:${id}`,
      target: `user:${id}`,
      action: `oauth.${kind}`,
      diff: { ...identity, ...made },
      origin,
    });
    return { kind, user: { id, username, email: user.email, role }, opened };
  }
}

/** Throws `Overtaken` when the address has just been taken. */
async function insertUser(db: Db, login: string | undefined, email: string): Promise<SignedInUser> {
  for (const username of usernameCandidates(login, email)) {
    const user = await insertIdentityUser(db, { username, email });
    if (user !== undefined) return user;
    if ((await findEmailOwner(db, email)) !== undefined) break;
  }
  throw new Overtaken();
}
