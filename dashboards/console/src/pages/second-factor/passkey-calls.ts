import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** The user closed the browser's dialog, or it timed out. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/**
 * Returns true if this page may use passkeys. Browsers do not support them at an IP address, nor over HTTP except on
 * localhost.
 */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && window.isSecureContext && !IP_ADDRESS.test(window.location.hostname);
}

/** Creates a new passkey in the browser. */
export async function createPasskey(options: object) {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await orCancelled(startRegistration({ optionsJSON }))), clientExtensionResults: {} };
}

/** Requests a signature of a passkey from the browser. */
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
