import { composeMail } from './compose.ts';
import type { FactorChange } from './mail-request.ts';
import type { Mail } from './port.ts';

/** The code that proves an address, for who wants to register with it. */
export function codeMail(to: string, code: string, minutes: number): Mail {
  return composeMail(to, 'Your Trapline code', [
    'This code proves that the address is yours:',
    { code },
    `It is valid for ${minutes} minutes. We will never ask you for it.`,
    'If you did not request it, another person mistyped an address: there is nothing to do.',
  ]);
}

/** The link that sets a new password. */
export function resetMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Set a new Trapline password', [
    `A new password was requested, probably by you, for the account ${username}.`,
    { link, label: 'Set a new password' },
    `The link works once, and for ${minutes} minutes. All sign-ins of the account end when it is used; its API keys go on working until you revoke them.`,
    'If you did not ask for it, there is nothing to do: the password stays as it is.',
  ]);
}

/** The link that sets a password, sent by an administrator. */
export function passwordLinkMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Set your Trapline password', [
    `An administrator sent you this link to set a password for the account ${username}.`,
    { link, label: 'Set a password' },
    `The link works once, and for ${minutes} minutes. All sign-ins of the account end when it is used; its API keys go on working until you revoke them.`,
    'Until then the password stays as it is. If you do not know the reason, ask an administrator.',
  ]);
}

/** The link that changes the address of an account, sent to the new address. */
export function emailChangeMail(to: string, username: string, link: string, minutes: number): Mail {
  return composeMail(to, 'Confirm your e-mail address for Trapline', [
    `The account ${username} is to use this address.`,
    { link, label: 'Confirm address' },
    `The link works once, and for ${minutes} minutes.`,
    'If you did not request it, another person mistyped an address: there is nothing to do.',
  ]);
}

/** The notice to the address that an account had. */
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

/** The notice to the owner of an account whose second factors changed. */
export function factorChangeMail(to: string, username: string, change: FactorChange, ip: string): Mail {
  return composeMail(to, 'The second factors of your Trapline account have changed', [
    `${FACTOR_CHANGES[change]} the account ${username}, by a request from ${ip}.`,
    change === 'reset'
      ? 'All sign-ins of the account have ended. If you did not ask for it, ask an administrator.'
      : 'If it was not you, change the password, and ask an administrator to check the account.',
  ]);
}

interface NamedKey {
  readonly keyId: string;
  readonly label: string;
}

/** The warning to the owner of a key that ends soon. */
export function keyExpiryMail(
  to: string,
  key: NamedKey & { readonly expiresAt?: string | undefined },
  page: string,
): Mail {
  return composeMail(to, `Your Trapline API key ${key.label} expires soon`, [
    `The API key ${key.label} (${key.keyId}) expires at ${key.expiresAt ?? ''}. Programs that use it are rejected from then on.`,
    { link: page, label: 'Rotate the key' },
    'After a rotation the old secret stays valid for a time that you choose.',
  ]);
}

/** The notice to the owner of a key that a scanner found in public. */
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
    `A secret scanner found the API key ${key.label} (${key.keyId})${key.url === undefined ? '' : ` at ${key.url}`}.`,
    key.replaced === true
      ? 'It was the secret before the last rotation, which ended at once. The new secret still works. Look in the audit log for what the key was used for.'
      : key.revoked === true
        ? 'The key was revoked. Create another one, and look in the audit log for what it was used for.'
        : 'The key still works. Rotate it with an overlap of 0 seconds, or revoke it, and look in the audit log for what it was used for.',
    { link: page, label: 'Open your keys' },
  ]);
}
