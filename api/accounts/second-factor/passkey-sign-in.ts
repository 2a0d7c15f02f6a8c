import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { listPasskeys } from '../tables/passkeys.ts';
import { lockUsableProfile } from '../tables/users.ts';
import type { NewPasskey } from './own-passkeys.ts';
import { PASSKEY_REFUSED, type PasskeyCeremonies } from './passkey-ceremonies.ts';
import type { CompletedSignIn, SecondStepSignIn } from './second-step-sign-in.ts';

/** Passkeys at the second step of a sign-in, and as a sign-in without a password. Refusals are `ApiError`s. */
export interface PasskeySignIn {
  /** `token`: see `SecondStepSignIn`. */
  startStep(token: string | undefined): Promise<PublicKeyCredentialRequestOptionsJSON>;
  verifyStep(
    token: string | undefined,
    response: AuthenticationResponseJSON,
    origin: RequestOrigin,
  ): Promise<CompletedSignIn>;
  /** Begins the enrolment of a passkey for an account that must have a second factor. */
  startRequired(token: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON>;
  addRequired(token: string | undefined, added: NewPasskey, origin: RequestOrigin): Promise<CompletedSignIn>;
  startSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Signs in without a password: the passkey is one factor, its PIN or fingerprint is the other. */
  signIn(response: AuthenticationResponseJSON, origin: RequestOrigin): Promise<CompletedSignIn>;
}

export interface PasskeySignInDeps {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly audit: Audit;
  readonly secondStep: SecondStepSignIn;
  readonly ceremonies: PasskeyCeremonies;
}

/** Subject of the challenges for sign-ins without a password. */
const SIGN_IN = 'sign-in';

export function createPasskeySignIn(deps: PasskeySignInDeps): PasskeySignIn {
  const { database, sessions, audit, secondStep, ceremonies } = deps;
  const { register, registered, store, ask, signed, use } = ceremonies;

  async function waitingFor(token: string | undefined) {
    const waiting = await secondStep.find(token);
    if (waiting === undefined) throw apiError('unauthorized', 'no sign-in waits for a second factor: sign in again');
    return { ...waiting, subject: `pending:${waiting.pending.id}` };
  }

  return {
    async startStep(token) {
      const { user, subject } = await waitingFor(token);
      const passkeys = await listPasskeys(database, user.id);
      if (passkeys.length === 0) throw apiError('conflict', 'the account has no passkey');
      return ask(subject, passkeys);
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

    startSignIn: () => ask(SIGN_IN, undefined),

    async signIn(response, origin) {
      const proof = await signed(response, SIGN_IN, { userVerification: true });
      return inTransaction(database, async (transaction) => {
        const user = await lockUsableProfile(transaction, proof.passkey.userId);
        if (user === undefined) throw apiError('invalid_value', PASSKEY_REFUSED, 'response');
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
