import { z } from 'zod';
import { localPath } from '#schemas/api/return-path.ts';
import { ROLES } from '#schemas/api/role-order.ts';
import { plainMessage } from '#schemas/plain-message.ts';

/** Reserved ids: other providers, or parts of sign-in URLs. */
const TAKEN_IDS = ['idp', 'codehost', 'credentials', 'saml'];

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits or hyphens, beginning with a letter')
  .refine((value) => !TAKEN_IDS.includes(value), `${TAKEN_IDS.join(', ')} are reserved`);
const domain = z
  .string()
  .toLowerCase()
  .regex(/^[a-z\d-]+(?:\.[a-z\d-]+)+$/, 'must be a domain, such as example.org');
const httpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be a URL that begins with https:// or http://',
  );
const claim = z.string().min(1).max(256);
const filePath = z.string().startsWith('/', 'must be an absolute path');

/** Fields of both protocols: which users the provider may sign in, and the mapping of its claims. */
const shared = {
  id,
  name: z.string().min(1).max(64),
  allowedDomains: z.array(domain).min(1).optional(),
  signUp: z.enum(['registration', 'allowed', 'closed']).default('registration'),
  linking: z.enum(['unlinked', 'verified-email', 'never']).default('unlinked'),
  roles: z
    .strictObject({
      claim,
      map: z.record(z.string().min(1), z.enum(ROLES)),
      default: z.enum(ROLES).default('user'),
      required: z.boolean().default(false),
    })
    .optional(),
  teams: z.strictObject({ claim, map: z.record(z.string().min(1), z.string().min(1).max(64)) }).optional(),
  signOut: z.enum(['here', 'provider']).default('here'),
};

const oidc = z
  .strictObject({
    ...shared,
    protocol: z.literal('oidc'),
    issuer: httpUrl.transform((text) => text.replace(/\/+$/, '')),
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    clientSecretFile: filePath.optional(),
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)).default(['openid', 'email', 'profile']),
    claims: z
      .strictObject({ email: claim.default('email'), username: claim.default('preferred_username') })
      .default({ email: 'email', username: 'preferred_username' }),
    emailVerified: z.enum(['claim', 'always']).default('claim'),
  })
  .refine((one) => (one.clientSecret === undefined) !== (one.clientSecretFile === undefined), {
    path: ['clientSecret'],
    message: 'one of clientSecret and clientSecretFile is required',
  })
  .refine((one) => one.scopes.includes('openid'), { path: ['scopes'], message: 'must include openid' })
  .refine((one) => one.emailVerified === 'claim' || one.allowedDomains !== undefined, {
    path: ['emailVerified'],
    message: 'always needs allowedDomains: the domains whose addresses this provider assigns',
  })
  // OpenID Connect Core 5.1: `email_verified` applies only to the claim `email`. Users may be able to choose the values
  // of other claims.
  .refine((one) => one.emailVerified === 'always' || one.claims.email === 'email', {
    path: ['claims', 'email'],
    message: 'another claim than email needs emailVerified always: email_verified is about the claim email alone',
  });

const keyPair = z.strictObject({ keyFile: filePath, certificateFile: filePath });

const saml = z
  .strictObject({
    ...shared,
    protocol: z.literal('saml'),
    // SAML has no assertion that an address is verified. The domains are those whose addresses this provider assigns.
    allowedDomains: z.array(domain).min(1),
    entityId: z.string().min(1).max(1024),
    signInUrl: httpUrl,
    signOutUrl: httpUrl.optional(),
    signOutBinding: z.enum(['redirect', 'post']).default('redirect'),
    certificates: z
      .array(
        z
          .string()
          .regex(/^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/, 'must be a PEM certificate'),
      )
      .default([]),
    certificateFiles: z.array(filePath).default([]),
    serviceEntityId: z.string().min(1).max(1024).optional(),
    signing: keyPair.optional(),
    decryption: keyPair.optional(),
    signatures: z.enum(['either', 'assertion', 'response', 'both']).default('either'),
    claims: z
      .strictObject({ subject: claim.optional(), email: claim.optional(), username: claim.optional() })
      .default({}),
    idpInitiated: z.boolean().default(false),
    returnPaths: z
      .array(
        z.string().refine((path) => localPath(path) === path, 'must be a path of this server, such as /detections'),
      )
      .default([]),
  })
  .refine((one) => one.certificates.length + one.certificateFiles.length > 0, {
    path: ['certificates'],
    message: 'certificates or certificateFiles is required',
  })
  // A logout request identifies the user by the NameID only.
  .refine((one) => one.signOutUrl === undefined || one.claims.subject === undefined, {
    path: ['signOutUrl'],
    message: 'it needs the NameID as the subject: remove claims.subject',
  })
  // SAML profiles, 4.4.4.1: a logout request must be signed.
  .refine((one) => one.signOut === 'here' || (one.signOutUrl !== undefined && one.signing !== undefined), {
    path: ['signOut'],
    message: 'provider needs signOutUrl and signing: the request to end sessions must be signed',
  });

const providerSchema = z.discriminatedUnion('protocol', [oidc, saml]);

const listSchema = z
  .array(providerSchema)
  .max(32)
  .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'each provider needs an id of its own');

export type ListedProvider = z.output<typeof providerSchema>;

/**
 * The value of IDENTITY_PROVIDERS: a JSON array of providers, kept as text. Error messages contain field names, but no
 * values.
 */
export const identityProviders = z.string().superRefine((text, context) => {
  const json = jsonOf(text);
  if (json === undefined) {
    context.addIssue({ code: 'custom', message: 'must be a JSON array of identity providers' });
    return;
  }
  for (const { path, message } of listSchema.safeParse(json, { error: plainMessage }).error?.issues ?? []) {
    const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    context.addIssue({ code: 'custom', message: `${field}${field === '' ? '' : ': '}${message}` });
  }
});

/** Parses a text that `identityProviders` accepts. */
export function parseIdentityProviders(text: string | undefined): readonly ListedProvider[] {
  return text === undefined ? [] : listSchema.parse(jsonOf(text));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
