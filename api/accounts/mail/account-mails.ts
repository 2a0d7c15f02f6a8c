import { composeMail } from './compose.ts';
import type { FactorChange } from './mail-request.ts';
import type { Mail } from './port.ts';

/** Mail with the code that proves an address during registration. */
export function codeMail(to: string, code: string, minutes: number): Mail {
  return composeMail(to, 'Your Trapline code', [
    'Enter this code to confirm your address:',
    { code },
    `It is valid for ${minutes} minutes. Do not share it.`,
    'If you did not request it, ignore this e-mail.',
  ]);
}

/** Mail with the link that sets a new password. */
export function resetMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Set a new Trapline password', [
    `A new password was requested for the account ${username}.`,
    { link, label: 'Set a new password' },
    `The link works once, within ${minutes} minutes. Using it ends all sessions of the account. API keys still work until you revoke them.`,
    'If you did not request it, ignore this e-mail: your password does not change.',
  ]);
}

/** Mail with the link that sets a password, sent by an administrator. */
export function passwordLinkMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Set your Trapline password', [
    `An administrator sent you this link to set a password for the account ${username}.`,
    { link, label: 'Set a password' },
    `The link works once, within ${minutes} minutes. Using it ends all sessions of the account. API keys still work until you revoke them.`,
    'Until then your current password still works. If you did not expect this e-mail, ask an administrator.',
  ]);
}

/** Mail to the new address with the link that confirms a change of address. */
export function emailChangeMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Confirm your e-mail address for Trapline', [
    `Confirm that the account ${username} uses this address.`,
    { link, label: 'Confirm address' },
    `The link works once, within ${minutes} minutes.`,
    'If you did not request it, ignore this e-mail.',
  ]);
}

/** Notice to the previous address of an account. */
export function emailChangedMail(to: string, username: string): Mail {
  return composeMail(to, 'The e-mail address of your Trapline account has changed', [
    `The account ${username} no longer uses this address.`,
    'If you did not change it, ask an administrator to disable the account.',
  ]);
}

const FACTOR_CHANGES: Readonly<Record<FactorChange, string>> = {
  'totp-added': 'An authenticator app was added to',
  'totp-removed': 'The authenticator app was removed from',
  'passkey-added': 'A passkey was added to',
  'passkey-removed': 'A passkey was removed from',
  'recovery-codes-created': 'New recovery codes replace those of',
  'recovery-code-used': 'A recovery code was used for',
  reset: 'An administrator removed all second factors of',
};

/** Notice to the owner of an account about a change of second factors. */
export function factorChangeMail(to: string, username: string, change: FactorChange, ip: string): Mail {
  return composeMail(to, 'The second factors of your Trapline account have changed', [
    `${FACTOR_CHANGES[change]} the account ${username}, by a request from ${ip}.`,
    change === 'reset'
      ? 'All sessions of the account have ended. If you did not expect this, ask an administrator.'
      : 'If this was not you, change your password, and ask an administrator to check the account.',
  ]);
}

interface NamedKey {
  readonly keyId: string;
  readonly label: string;
}

/** Warning to the owner of a key that expires soon. */
export function keyExpiryMail(
  to: string,
  key: NamedKey & { readonly expiresAt?: string | undefined },
  page: string,
): Mail {
  return composeMail(to, `Your Trapline API key ${key.label} expires soon`, [
    `The API key ${key.label} (${key.keyId}) expires at ${key.expiresAt ?? ''}. Programs that use it are rejected from then on.`,
    { link: page, label: 'Rotate the key' },
    'You choose how long the old secret stays valid after a rotation.',
  ]);
}

/** Notice to the owner of a key that a scanner found in public. */
export function keyLeakMail(
  to: string,
  key: NamedKey & {
    readonly revoked?: boolean | undefined;
    readonly replaced?: boolean | undefined;
    readonly url?: string | undefined;
  },
  page: string,
): Mail {
  return composeMail(to, `Your Trapline API key ${key.label} is public`, [
    `A secret scanner found your API key ${key.label} (${key.keyId})${key.url === undefined ? '' : ` at ${key.url}`}.`,
    key.replaced === true
      ? 'It was the secret from before the last rotation. It has stopped working; the new secret still works. Check in the audit log what the key was used for.'
      : key.revoked === true
        ? 'The key was revoked. Create a new one, and check in the audit log what the key was used for.'
        : 'The key still works. Rotate it with an overlap of 0 seconds, or revoke it, and check in the audit log what it was used for.',
    { link: page, label: 'Open your keys' },
  ]);
}
