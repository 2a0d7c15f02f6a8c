import { z } from 'zod';
import { groupRoles } from '../group-roles.ts';
import { identityProviders } from '../identity-providers.ts';
import { registration, roles, secret, secrets, text, url, wholeNumber, words } from '../values.ts';

/** Secrets, mail, sign-in, identity providers and API keys. */
export const accountsSettings = {
  AUTH_SECRET: secrets()
    .optional()
    .describe(
      'signs OAuth states, hashes codes, encrypts secrets; the same in all processes of a database; 32 characters or more; old ones after commas',
    ),
  AUTH_URL: url('http', 'https')
    .optional()
    .describe('address at which browsers reach this server; links in mails begin with it'),
  JWT_SECRET: secrets()
    .optional()
    .describe(
      'signs session cookies; the same in all processes of a database; 32 characters or more; old ones after commas',
    ),
  ADMIN_KEY: text
    .pipe(z.string().min(32, 'must have at least 32 characters'))
    .meta({ secret: true })
    .optional()
    .describe('key for /api/prometheus and /api/docs, in the header x-admin-key; 32 characters or more'),
  REGISTRATION: registration
    .optional()
    .describe(
      'who may register: open, closed, or e-mail domains joined by commas; not set: open in development on a loopback address, closed otherwise',
    ),
  SMTP_URL: url('smtp', 'smtps')
    .meta({ secret: true })
    .optional()
    .describe('mail server; not set: the provider of EMAIL_USER'),
  MAIL_FROM: text.optional().describe('sender of mails; not set: EMAIL_USER'),
  EMAIL_USER: text.optional().describe('mail account for codes and resets'),
  EMAIL_PASS: secret().optional().describe('password of EMAIL_USER'),
  IDP_ISSUER: url('http', 'https').optional().describe('issuer URL of the identity provider'),
  IDP_CLIENT_ID: text.optional().describe('client id of this server at IDP_ISSUER'),
  IDP_CLIENT_SECRET: secret().optional().describe('secret of IDP_CLIENT_ID'),
  IDENTITY_PROVIDERS: identityProviders
    .meta({ secret: true })
    .optional()
    .describe(
      'identity providers as a JSON array, usually by IDENTITY_PROVIDERS_FILE; see docs/operations/single-sign-on.md',
    ),
  SCIM_ROLES: groupRoles
    .optional()
    .describe('roles of SCIM groups: group=role, joined by commas, such as SOC=analyst; not set: groups give no roles'),
  CODEHOST_URL: url('http', 'https').default('https://api.github.com').describe("the code host's REST API"),
  CODEHOST_AUTH_URL: url('http', 'https')
    .default('https://github.com')
    .describe('address of the code host at which users sign in'),
  CODEHOST_TOKEN: secret()
    .optional()
    .describe('token for the code host; raises its quota from 60 to 5,000 requests an hour'),
  CODEHOST_CLIENT_ID: text.optional().describe('client id of this server at the code host, to sign in with it'),
  CODEHOST_CLIENT_SECRET: secret().optional().describe('secret of CODEHOST_CLIENT_ID'),
  TRAPLINE_MAX_SESSIONS: wholeNumber({ min: 1, max: 10_000 })
    .default(100)
    .describe('sessions a user may have; a further sign-in ends the oldest'),
  TRAPLINE_SECOND_FACTOR_ROLES: roles
    .default([])
    .describe(
      'roles whose users need a second factor to sign in, joined by commas, such as admin,analyst; not set: none',
    ),
  TRAPLINE_SECOND_FACTOR_PROVIDERS: words
    .default([])
    .describe(
      'ids of identity providers that check a second factor themselves, joined by commas; a sign-in with another provider needs a second factor here',
    ),
  TRAPLINE_KEY_MAX_DAYS: wholeNumber({ min: 1, max: 3_650 })
    .optional()
    .describe(
      'maximum lifetime of new and rotated API keys of users, days; also the lifetime of keys that are created without an expiry. Not set: no maximum',
    ),
  TRAPLINE_LEAKED_KEYS: z
    .enum(['off', 'mark', 'revoke'], 'must be off, mark or revoke')
    .default('off')
    .describe(
      'what happens to API keys that a secret scanner reports as public: off (reports are refused), mark, revoke',
    ),
  TRAPLINE_LEAK_SCANNER_KEYS_URL: url('http', 'https')
    .default('https://api.github.com/meta/public_keys/secret_scanning')
    .describe('address of the public keys of the secret scanner, which verify its reports'),
};
