import { z } from 'zod';
import { roleSchema } from './roles.ts';

export const identityProviderSchema = z
  .object({
    id: z.string().describe('Identifier in URLs').meta({ example: 'staff' }),
    name: z.string().describe('Label of the button on the sign-in page').meta({ example: 'Staff' }),
    protocol: z.enum(['oidc', 'oauth', 'saml']).describe('OpenID Connect, OAuth 2.0 or SAML 2.0'),
    issuer: z
      .string()
      .describe('Issuer, address or entity id of the provider')
      .meta({ example: 'https://login.example.org' }),
    callbackUrl: z
      .string()
      .describe('Callback URL, to be registered with the provider')
      .meta({ example: 'https://trapline.example.org/api/auth/callback/staff' }),
    metadataUrl: z.string().nullable().describe('SAML: metadata of this service'),
    logoutUrl: z
      .string()
      .nullable()
      .describe(
        'Logout URL, to be registered with the provider (OpenID Connect: back-channel logout; SAML: single logout). null: not supported',
      )
      .meta({ example: 'https://trapline.example.org/api/auth/oidc/staff/backchannel-logout' }),
    certificates: z
      .array(
        z.object({
          subject: z.string().describe('Subject'),
          endsAt: z.string().describe('End of the validity of the certificate'),
        }),
      )
      .describe('SAML: certificates that the provider signs with'),
    allowedDomains: z.array(z.string()).nullable().describe('E-mail domains that may sign in; null: any'),
    signUp: z.enum(['registration', 'allowed', 'closed']).describe('Which users get an account at their first sign-in'),
    linking: z
      .enum(['unlinked', 'verified-email', 'never'])
      .describe('Which existing accounts a verified address is linked to'),
    roles: z
      .array(z.object({ value: z.string().describe('Value of the claim'), role: roleSchema }))
      .describe('Roles by value of the claim'),
    teams: z
      .array(z.object({ value: z.string().describe('Value of the claim'), team: z.string().describe('Name') }))
      .describe('Teams by value of the claim'),
    identities: z.number().int().describe('Number of accounts that use the provider'),
  })
  .meta({ description: 'An identity provider for sign-in' });

export const providerTestSchema = z.object({
  ok: z.boolean().describe('Whether the response of the provider is sufficient for a sign-in'),
  problem: z.string().nullable().describe('Description of the problem'),
});
