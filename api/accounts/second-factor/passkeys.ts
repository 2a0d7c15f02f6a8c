import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { Sessions } from '../sessions/sessions.ts';
import {
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type Passkey,
  recordPasskeyUse,
  renamePasskey,
  takeChallenge,
} from '../tables/passkeys.ts';
import { secondFactorsOf } from '../tables/second-factors.ts';
import { findUsableProfile } from '../tables/users.ts';
import type { Enrolment, FactorOwner } from './enrolment.ts';
import type { NotifyFactorChange } from './notices.ts';
import type { OwnFactorChanges } from './own-factors.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import type { CompletedSignIn, SecondStepSignIn } from './second-step-sign-in.ts';
import {
  authenticationOptions,
  CHALLENGE_MS,
  type RegisteredPasskey,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts';

/** Passkeys of one user. Far beyond what people need. */
export const MAX_PASSKEYS = 20;

/** A new passkey as a browser returns it. */
export interface NewPasskey {
  readonly name: string;
  readonly response: RegistrationResponseJSON;
}

/** Passkeys: of the own account, at the second step of a sign-in, and as a sign-in without a password. Refusals are `ApiError`s. */
export interface Passkeys {
  /** Whether browsers offer passkeys for the address of this server. */
  available(): boolean;
  list(caller: SessionCaller): Promise<readonly Passkey[]>;
  startOwn(caller: SessionCaller): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Resolves to the passkey, and to recovery codes for an account that had none. */
  addOwn(
    caller: SessionCaller,
    added: NewPasskey,
    origin: RequestOrigin,
  ): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] | undefined }>;
  rename(caller: SessionCaller, id: string, name: string, origin: RequestOrigin): Promise<void>;
  remove(caller: SessionCaller, id: string, origin: RequestOrigin): Promise<void>;
  /** `token`: see `SecondStepSignIn`. */
  startStep(token: string | undefined): Promise<PublicKeyCredentialRequestOptionsJSON>;
  verifyStep(
    token: string | undefined,
    response: AuthenticationResponseJSON,
    origin: RequestOrigin,
  ): Promise<CompletedSignIn>;
  /** For an account that must have a second factor. */
  startRequired(token: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON>;
  addRequired(token: string | undefined, added: NewPasskey, origin: RequestOrigin): Promise<CompletedSignIn>;
  startSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** A sign-in without a password: the passkey is one factor, the PIN or fingerprint that it asks for is the other. */
  signIn(response: AuthenticationResponseJSON, origin: RequestOrigin): Promise<CompletedSignIn>;
}

export interface PasskeyDeps {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly audit: Audit;
  readonly notify: NotifyFactorChange;
  readonly announceEnded: AnnounceEnded;
  readonly enrolment: Enrolment;
  readonly ownFactors: OwnFactorChanges;
  readonly secondStep: SecondStepSignIn;
}

const SIGN_IN = 'sign-in';
const REFUSED = 'the passkey was not accepted';

/** Long: its functions share the dependencies. */
export function createPasskeys(deps: PasskeyDeps, { publicUrl }: { readonly publicUrl: () => string }): Passkeys {
  const { database, sessions, audit, notify, announceEnded, enrolment, ownFactors, secondStep } = deps;

  function party(): RelyingParty {
    const found = relyingPartyOf(publicUrl());
    if (found === undefined)
      throw apiError('conflict', 'passkeys need an https address with a host name: set AUTH_URL');
    return found;
  }

  async function register(owner: FactorOwner & { readonly username: string }, subject: string) {
    const passkeys = await listPasskeys(database, owner.id);
    if (passkeys.length >= MAX_PASSKEYS) throw apiError('conflict', `an account has at most ${MAX_PASSKEYS} passkeys`);
    const options = await registrationOptions(party(), owner, passkeys);
    await insertChallenge(database, options.challenge, subject, CHALLENGE_MS);
    return options;
  }

  async function registered(response: RegistrationResponseJSON, subject: string): Promise<RegisteredPasskey> {
    const passkey = await verifyRegistration(party(), response, (challenge) =>
      takeChallenge(database, challenge, subject),
    );
    if (passkey === undefined) throw apiError('invalid_value', REFUSED, 'response');
    return passkey;
  }

  async function store(db: Db, owner: FactorOwner, name: string, passkey: RegisteredPasskey, origin: RequestOrigin) {
    const stored = await insertPasskey(db, { ...passkey, userId: owner.id, name });
    if (stored === undefined) throw apiError('conflict', 'this passkey is registered already');
    const recoveryCodes = await enrolment.firstRecoveryCodes(db, owner);
    await audit.record(db, {
      actor: `user:${owner.id}`,
      target: `user:${owner.id}`,
      action: 'passkey.create',
      diff: {
        passkey: { after: stored.id },
        name: { after: name },
        recoveryCodesCreated: { after: recoveryCodes?.length ?? 0 },
      },
      origin,
    });
    await notify(db, owner, 'passkey-added', origin);
    return { passkey: stored, recoveryCodes };
  }

  /** The passkey of a response and its new counter. */
  async function signed(
    response: AuthenticationResponseJSON,
    subject: string,
    { userId, userVerification }: { readonly userId?: string; readonly userVerification: boolean },
  ) {
    const passkey = await findPasskey(database, response.id);
    const own = passkey !== undefined && (userId === undefined || passkey.userId === userId);
    const counter = own
      ? await verifyAuthentication(party(), { response, passkey, userVerification }, (challenge) =>
          takeChallenge(database, challenge, subject),
        )
      : undefined;
    if (passkey === undefined || counter === undefined) throw apiError('invalid_value', REFUSED, 'response');
    return { passkey, counter };
  }

  async function use(db: Db, { passkey, counter }: Awaited<ReturnType<typeof signed>>): Promise<void> {
    if (!(await recordPasskeyUse(db, passkey, counter))) throw apiError('invalid_value', REFUSED, 'response');
  }

  async function waitingFor(token: string | undefined) {
    const waiting = await secondStep.find(token);
    if (waiting === undefined) throw apiError('unauthorized', 'no sign-in waits for a second factor: sign in again');
    return { ...waiting, subject: `pending:${waiting.pending.id}` };
  }

  return {
    available: () => relyingPartyOf(publicUrl()) !== undefined,
    list: ({ userId }) => listPasskeys(database, userId),

    async startOwn(caller) {
      await ownFactors.requireConfirmed(caller);
      return register({ ...caller, id: caller.userId }, `session:${caller.sessionId}`);
    },

    async addOwn(caller, { name, response }, origin) {
      await ownFactors.requireConfirmed(caller);
      const passkey = await registered(response, `session:${caller.sessionId}`);
      const owner = { id: caller.userId, email: caller.email };
      const { ended, ...added } = await inTransaction(database, async (transaction) => {
        const before = await secondFactorsOf(transaction, owner.id);
        const stored = await store(transaction, owner, name, passkey, origin);
        return { ...stored, ended: await ownFactors.enrolled(transaction, caller, before) };
      });
      for (const sessionId of ended) await announceEnded({ sessionId });
      return added;
    },

    async rename({ userId }, id, name, origin) {
      await inTransaction(database, async (transaction) => {
        const before = await renamePasskey(transaction, userId, id, name);
        if (before === undefined) throw apiError('not_found', 'you have no such passkey', 'id');
        await audit.record(transaction, {
          actor: `user:${userId}`,
          target: `user:${userId}`,
          action: 'passkey.update',
          diff: { passkey: { before: id, after: id }, name: { before: before.name, after: name } },
          origin,
        });
      });
    },

    async remove(caller, id, origin) {
      await ownFactors.requireConfirmed(caller);
      const { userId, email } = caller;
      await inTransaction(database, async (transaction) => {
        const removed = await deletePasskey(transaction, userId, id);
        if (removed === undefined) throw apiError('not_found', 'you have no such passkey', 'id');
        await ownFactors.removed(transaction, caller);
        await audit.record(transaction, {
          actor: `user:${userId}`,
          target: `user:${userId}`,
          action: 'passkey.delete',
          diff: { passkey: { before: id }, name: { before: removed.name } },
          origin,
        });
        await notify(transaction, { id: userId, email }, 'passkey-removed', origin);
      });
    },

    async startStep(token) {
      const { user, subject } = await waitingFor(token);
      const passkeys = await listPasskeys(database, user.id);
      if (passkeys.length === 0) throw apiError('conflict', 'the account has no passkey');
      const options = await authenticationOptions(party(), passkeys);
      await insertChallenge(database, options.challenge, subject, CHALLENGE_MS);
      return options;
    },

    async verifyStep(token, response, origin) {
      const { user, subject } = await waitingFor(token);
      const proof = await signed(response, subject, { userId: user.id, userVerification: false });
      const prove = async (db: Db) => {
        await use(db, proof);
        return { factor: 'passkey' as const };
      };
      return secondStep.complete(token, 'verify', prove, origin);
    },

    async startRequired(token) {
      const { user, subject, pending } = await waitingFor(token);
      if (pending.step !== 'enrol') throw apiError('conflict', 'the account has a second factor');
      return register(user, subject);
    },

    async addRequired(token, { name, response }, origin) {
      const { subject } = await waitingFor(token);
      const passkey = await registered(response, subject);
      return secondStep.complete(
        token,
        'enrol',
        async (db, { user }) => {
          const { recoveryCodes } = await store(db, user, name, passkey, origin);
          return { factor: 'passkey', recoveryCodes };
        },
        origin,
      );
    },

    async startSignIn() {
      const options = await authenticationOptions(party(), undefined);
      await insertChallenge(database, options.challenge, SIGN_IN, CHALLENGE_MS);
      return options;
    },

    async signIn(response, origin) {
      const proof = await signed(response, SIGN_IN, { userVerification: true });
      return inTransaction(database, async (transaction) => {
        const user = await findUsableProfile(transaction, proof.passkey.userId);
        if (user === undefined) throw apiError('invalid_value', REFUSED, 'response');
        await use(transaction, proof);
        const session = await sessions.open(transaction, user, origin, { secondFactor: true });
        await audit.record(transaction, {
          actor: `user:${user.id}`,
          target: `session:${session.sessionId}`,
          action: 'session.create',
          diff: { by: { after: 'passkey' } },
          origin,
        });
        return { user, session, returnTo: null };
      });
    },
  };
}
