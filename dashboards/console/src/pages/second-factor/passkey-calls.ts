import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** The user closed the dialog of the browser, or it timed out. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/** Whether this page may use passkeys: browsers offer none at an IP address, nor over http but for localhost. */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && window.isSecureContext && !IP_ADDRESS.test(window.location.hostname);
}

/** Asks the browser for a new passkey. */
export async function createPasskey(options: object) {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await orCancelled(startRegistration({ optionsJSON }))), clientExtensionResults: {} };
}

/** Asks the browser for a signature of a passkey. */
export async function signWithPasskey(options: object) {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await orCancelled(startAuthentication({ optionsJSON }))), clientExtensionResults: {} };
}

async function orCancelled<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const cancelled = error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
    throw cancelled ? new PasskeyCancelled() : error;
  }
}
