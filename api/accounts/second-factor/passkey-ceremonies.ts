import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import {
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type Passkey,
  recordPasskeyUse,
  takeChallenge,
} from '../tables/passkeys.ts';
import type { Enrolment, FactorOwner } from './enrolment.ts';
import type { NotifyFactorChange } from './notices.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import {
  authenticationOptions,
  CHALLENGE_MS,
  type RegisteredPasskey,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts';

/** Maximum number of passkeys per user, far more than people need. */
export const MAX_PASSKEYS = 20;
/** Message for every rejected passkey, whatever the reason. */
export const PASSKEY_REFUSED = 'the passkey was not accepted';

export interface CeremonyDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly notify: NotifyFactorChange;
  readonly enrolment: Enrolment;
}

/** A passkey with a verified signature, and its new counter. */
export interface PasskeyProof {
  readonly passkey: Passkey;
  readonly counter: number;
}

/** The WebAuthn ceremonies with their challenges. `subject` states the purpose of a challenge. Refusals are `ApiError`s. */
export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>;

export function createPasskeyCeremonies(
  { database, audit, notify, enrolment }: CeremonyDeps,
  { publicUrl }: { readonly publicUrl: () => string },
) {
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
    if (passkey === undefined) throw apiError('invalid_value', PASSKEY_REFUSED, 'response');
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

  /** Verifies the signature of a response. */
  async function signed(
    response: AuthenticationResponseJSON,
    subject: string,
    { userId, userVerification }: { readonly userId?: string; readonly userVerification: boolean },
  ): Promise<PasskeyProof> {
    const passkey = await findPasskey(database, response.id);
    const own = passkey !== undefined && (userId === undefined || passkey.userId === userId);
    const counter = own
      ? await verifyAuthentication(party(), { response, passkey, userVerification }, (challenge) =>
          takeChallenge(database, challenge, subject),
        )
      : undefined;
    if (passkey === undefined || counter === undefined) throw apiError('invalid_value', PASSKEY_REFUSED, 'response');
    return { passkey, counter };
  }

  async function use(db: Db, { passkey, counter }: PasskeyProof): Promise<void> {
    if (!(await recordPasskeyUse(db, passkey, counter))) throw apiError('invalid_value', PASSKEY_REFUSED, 'response');
  }

  /** Returns the options for a signature. `passkeys`: see `authenticationOptions`. */
  async function ask(subject: string, passkeys: readonly Passkey[] | undefined) {
    const options = await authenticationOptions(party(), passkeys);
    await insertChallenge(database, options.challenge, subject, CHALLENGE_MS);
    return options;
  }

  return { available: () => relyingPartyOf(publicUrl()) !== undefined, register, registered, store, ask, signed, use };
}
