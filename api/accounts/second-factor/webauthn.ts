import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from '../tables/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** Stored fields of a new passkey. */
export type RegisteredPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'synced'>;

/** Consumes a challenge. True if it was created for this purpose and not used before. */
export type TakeChallenge = (challenge: string) => Promise<boolean>;

const NAME = 'Trapline';
/** Time limit for the browser dialog. */
export const CHALLENGE_MS = 5 * 60_000;
/** EdDSA, ES256, RS256: the algorithms that authenticators support. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded with the first passkey: its certificate parsers take memory, and most processes need none. */
const library = () => import('@simplewebauthn/server');

/** Returns options for `navigator.credentials.create`. */
export async function registrationOptions(
  party: RelyingParty,
  user: { readonly id: string; readonly email: string; readonly username: string },
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email,
    userDisplayName: user.username,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Returns options for `navigator.credentials.get`. `passkeys`: those that may sign. Undefined: any passkey whose
 * authenticator verified the user.
 */
export async function authenticationOptions(
  party: RelyingParty,
  passkeys: readonly Passkey[] | undefined,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_MS,
    userVerification: passkeys === undefined ? 'required' : 'preferred',
    allowCredentials: passkeys?.map(({ credentialId: id, transports }) => ({ id, transports })) ?? [],
  });
}

/**
 * Verifies a new passkey. Undefined if it is invalid. An attestation with certificates is rejected: none is requested,
 * and to verify one the library would fetch revocation lists from URLs in it.
 */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  takeChallenge: TakeChallenge,
): Promise<RegisteredPasskey | undefined> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    library(),
    import('@simplewebauthn/server/helpers'),
  ]);
  return verified(takeChallenge, async (expectedChallenge) => {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
    const format = attestation.get('fmt');
    const plain = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
    if (!plain) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      synced: credentialDeviceType === 'multiDevice',
    };
  });
}

/**
 * Verifies a signature of a passkey. Resolves to its new counter, or undefined if the signature is invalid. A decreased
 * counter is invalid, because it shows that the passkey was copied.
 */
export async function verifyAuthentication(
  party: RelyingParty,
  {
    response,
    passkey,
    userVerification,
  }: {
    readonly response: AuthenticationResponseJSON;
    readonly passkey: Passkey;
    /** True if the authenticator must have verified the user, by a PIN or a fingerprint. */
    readonly userVerification: boolean;
  },
  takeChallenge: TakeChallenge,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  return verified(takeChallenge, async (expectedChallenge) => {
    const outcome = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: userVerification,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    return outcome.verified ? outcome.authenticationInfo.newCounter : undefined;
  });
}

/**
 * Runs a verification of the library, which throws for invalid input of a client. Errors of `takeChallenge` are errors
 * of the store and are rethrown.
 */
async function verified<T>(
  takeChallenge: TakeChallenge,
  verify: (takeChallenge: TakeChallenge) => Promise<T>,
): Promise<T | undefined> {
  let failure: { readonly error: unknown } | undefined;
  try {
    return await verify((challenge) =>
      takeChallenge(challenge).catch((error: unknown) => {
        failure = { error };
        return false;
      }),
    );
  } catch {
    if (failure !== undefined) throw failure.error;
    return undefined;
  }
}
