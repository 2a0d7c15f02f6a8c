import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { AccountAnnouncements } from '../admin/announce-change.ts';
import type { CreatedApiKey, CreateKey, PreparedKey, PrepareKey } from '../keys/create-key.ts';
import type { OpenedSignIn, OpenSignIn } from '../second-factor/open-sign-in.ts';
import {
  findEmailOwner,
  findIdentityOwner,
  forgetFailuresOf,
  insertIdentity,
  insertIdentityUser,
  providersOf,
} from '../tables/oauth-identities.ts';
import { countAdministrators, lockAdministrators, updateUser } from '../tables/user-administration.ts';
import { decideSignIn, type RejectReason } from './linking-rule.ts';
import type { ProviderAccount } from './provider.ts';
import {
  isAllowedDomain,
  linkRefusal,
  mappedRole,
  mappedTeams,
  maySignUp,
  type ProviderPolicy,
} from './provider-policy.ts';
import type { SealProviderSession } from './provider-sign-out.ts';
import { usernameCandidates } from './username.ts';

/** Outcome of a sign-in with a provider account. */
export type Settled =
  | {
      readonly kind: 'sign-in' | 'link' | 'create';
      readonly user: SignedInUser;
      /** A session, or a sign-in that waits for a second factor. */
      readonly opened: OpenedSignIn;
      /** Default key of a new user, returned only here. */
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
  /** True if the REGISTRATION setting permits this address (lower case). */
  readonly mayRegister: (email: string) => boolean;
  readonly announcements: Pick<AccountAnnouncements, 'announce'>;
  readonly syncTeams: SyncTeams;
  readonly sealSession: SealProviderSession;
}

/**
 * Makes a user a member of the teams `member` and removes them from `other`, with the audit entries, in the transaction
 * of the sign-in. Nonexistent teams are ignored.
 */
export type SyncTeams = (
  transaction: Db,
  userId: string,
  teams: { readonly member: readonly string[]; readonly other: readonly string[] },
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<void>;

export interface SettleRequest {
  /** Id of the provider. */
  readonly provider: string;
  /** Path of this site to open afterwards. */
  readonly returnTo?: string;
  readonly account: ProviderAccount;
  readonly policy: ProviderPolicy;
  readonly origin: RequestOrigin;
}

/** A concurrent sign-in with the same account or address was committed first. A retry finds a plain sign-in or link. */
class Overtaken extends Error {}
/** A user must be created, but the key is not hashed yet; hashing is too slow for a transaction. */
class KeyNeeded extends Error {}

const MAX_TRIES = 5;
const DEFAULT_KEY_LABEL = 'default';

/** Applies the linking rule. The decision, its audit entry and the session are one transaction. */
export function createSettle(deps: SettleDeps): (request: SettleRequest) => Promise<Settled> {
  return async (request) => {
    let prepared: PreparedKey | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        const { settled, roleChanged } = await inTransaction(deps.database, (transaction) =>
          settleIn(transaction, deps, request, prepared),
        );
        if (roleChanged && settled.kind !== 'reject')
          await deps.announcements.announce(settled.user.id, { sessionsEnded: false, roleChanged });
        return settled;
      } catch (error) {
        if (error instanceof KeyNeeded) prepared = await deps.prepareKey();
        else if (!(error instanceof Overtaken) || tries === MAX_TRIES) throw error;
      }
    }
  };
}

interface SettledIn {
  readonly settled: Settled;
  readonly roleChanged: boolean;
}

async function settleIn(
  db: Db,
  deps: SettleDeps,
  { provider, account, policy, origin, returnTo }: SettleRequest,
  prepared: PreparedKey | undefined,
): Promise<SettledIn> {
  const { subject, email } = account;
  // Locked before any user row, in the same order as in changes by administrators, to prevent deadlocks.
  if (policy.roles !== undefined) await lockAdministrators(db);
  // Separate queries in this order: each query sees what concurrent sign-ins committed before it. A user who has just
  // been created or linked is therefore never found without the identity that created it.
  const emailOwner = email === undefined ? undefined : await findEmailOwner(db, email);
  const identityOwner = await findIdentityOwner(db, provider, subject);
  const linked = identityOwner === undefined && emailOwner !== undefined ? await providersOf(db, emailOwner.id) : [];
  const attributes = account.attributes ?? new Map();
  const role = mappedRole(policy, attributes);
  const decision = decideSignIn({
    account,
    identityOwner,
    emailOwner,
    emailOwnerLinked: linked.includes(provider),
    mayRegister: email !== undefined && maySignUp(policy, deps.mayRegister(email)),
    policyRefusal: !isAllowedDomain(policy, email)
      ? 'domain-not-allowed'
      : role === 'none'
        ? 'role-required'
        : undefined,
    linkRefusal: linkRefusal(policy, provider, linked),
  });
  const identity = { provider: { after: provider }, subjectId: { after: subject } };

  switch (decision.kind) {
    case 'reject': {
      const target = decision.userId === undefined ? `provider:${provider}` : `user:${decision.userId}`;
      const diff = { ...identity, reason: { after: decision.reason } };
      await deps.audit.record(db, { actor: 'anonymous', target, action: 'oauth.reject', diff, origin });
      return { settled: { kind: 'reject', reason: decision.reason }, roleChanged: false };
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
      const { settled, roleChanged } = await signIn('create', user);
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
      return { settled: { ...settled, key }, roleChanged };
    }
  }

  async function signIn(kind: 'sign-in' | 'link' | 'create', before: SignedInUser) {
    const { id, username, email: address } = before;
    await forgetFailuresOf(db, id);
    const user =
      role === undefined || role === 'none' ? before : await applyRole(db, deps, before, role, { provider, origin });
    const first = {
      method: `provider:${provider}`,
      ...(returnTo === undefined ? {} : { returnTo }),
      providerSession: account.session === undefined ? null : deps.sealSession(provider, account.session),
      federated: { provider, subject, sid: account.sid ?? null },
    };
    const opened = await deps.openSignIn(db, { id, role: user.role }, first, origin);
    const made = kind === 'create' ? { username: { after: username }, email: { after: address } } : {};
    await deps.audit.record(db, {
      actor: `user:${id}`,
      target: `user:${id}`,
      action: `oauth.${kind}`,
      diff: { ...identity, ...made },
      origin,
    });
    const teams = mappedTeams(policy, attributes);
    if (teams !== undefined) await deps.syncTeams(db, id, teams, { actor: `provider:${provider}`, origin });
    return {
      settled: { kind, user: { id, username, email: address, role: user.role }, opened },
      roleChanged: user.role !== before.role,
    };
  }
}

/** Gives the user the role from the provider's claims. The last administrator keeps the role. */
async function applyRole<U extends SignedInUser>(
  db: Db,
  { audit }: SettleDeps,
  user: U,
  role: Role,
  { provider, origin }: Pick<SettleRequest, 'provider' | 'origin'>,
): Promise<U> {
  if (user.role === role) return user;
  await updateUser(db, user.id, { role });
  if (user.role === 'admin') {
    const left = await countAdministrators(db);
    if (left.now === 0 || left.lasting === 0) {
      await updateUser(db, user.id, { role: 'admin' });
      return user;
    }
  }
  await audit.record(db, {
    actor: `provider:${provider}`,
    target: `user:${user.id}`,
    action: 'user.update',
    diff: { role: { before: user.role, after: role } },
    origin,
  });
  return { ...user, role };
}

/** Throws `Overtaken` if the address has just been taken. */
async function insertUser(db: Db, login: string | undefined, email: string): Promise<SignedInUser> {
  for (const username of usernameCandidates(login, email)) {
    const user = await insertIdentityUser(db, { username, email });
    if (user !== undefined) return user;
    if ((await findEmailOwner(db, email)) !== undefined) break;
  }
  throw new Overtaken();
}
