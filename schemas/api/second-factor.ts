import { z } from 'zod';

/** A code of a second factor, as entered by the user. */
export const secondFactorCodeSchema = z
  .string()
  .min(6)
  .max(32)
  .describe('Six digits of the authenticator app, or a recovery code')
  .meta({ example: '042137' });

export const totpCodeSchema = z
  .string()
  .regex(/^\d{3} ?\d{3}$/, 'must be six digits')
  .describe('Six digits of the authenticator app')
  .meta({ example: '042137' });

/** A new secret for an authenticator app. */
export const newTotpSchema = z.object({
  secret: z
    .string()
    .describe('Secret in base 32, for manual entry')
    .meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  uri: z
    .string()
    .describe('`otpauth` URI for a QR code')
    .meta({ example: 'otpauth://totp/Trapline:ada%40example.org?issuer=Trapline&secret=JBSWY3DPEHPK3PXP' }),
});

export const recoveryCodesSchema = z
  .array(z.string().meta({ example: '7k2m-9xqd-04tv-he5c' }))
  .describe('One-time recovery codes that replace the second factor. Only this response contains them');

/** A sign-in that needs a second step. */
export const secondStepSchema = z.object({
  step: z
    .enum(['verify', 'enrol'])
    .describe(
      '`verify`: the user must present a second factor. `enrol`: the role requires a second factor, and the account has none',
    )
    .meta({ example: 'verify' }),
  expiresAt: z
    .string()
    .describe('Time until which the sign-in can be completed')
    .meta({ example: '2026-01-02T03:14:05.678Z' }),
});

/** The second factors of the caller. */
export const ownFactorsSchema = z.object({
  totp: z.boolean().describe('Whether an authenticator app is enrolled').meta({ example: true }),
  passkeys: z.number().describe('Number of passkeys').meta({ example: 1 }),
  recoveryCodesLeft: z.number().describe('Number of unused recovery codes').meta({ example: 10 }),
  required: z.boolean().describe('Whether the role requires a second factor').meta({ example: false }),
  confirmedUntil: z
    .string()
    .nullable()
    .describe('Time until which this session may change second factors; null: confirm the session first')
    .meta({ example: '2026-01-02T03:14:05.678Z' }),
  confirmBy: z
    .enum(['password', 'code'])
    .describe('How to confirm the session: with the password, or with a code for an account without password')
    .meta({ example: 'password' }),
});

/** The second factors of an account, as shown to administrators. */
export const administeredFactorsSchema = ownFactorsSchema.pick({
  totp: true,
  passkeys: true,
  recoveryCodesLeft: true,
});

const base64urlSchema = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/, 'must be base64url');

export const passkeyIdSchema = z
  .uuid()
  .describe('Id of the passkey')
  .meta({ example: '0b8f6a3e-9a44-4d3b-8f57-6f1a0c9d2e11' });

export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[ -~\u00a0-\uffff]+$/, 'must be text without control characters')
  .describe('Label, to recognise the passkey by')
  .meta({ example: 'Laptop' });

export const passkeySchema = z.object({
  id: passkeyIdSchema,
  name: z.string().describe('Label of the passkey').meta({ example: 'Laptop' }),
  createdAt: z.string().describe('Time at which it was added').meta({ example: '2026-01-02T03:04:05.678Z' }),
  lastUsedAt: z.string().nullable().describe('Time of the last use; null: never').meta({ example: null }),
  synced: z.boolean().describe('Whether the passkey can be synchronised to other devices').meta({ example: true }),
});

/** Options for the browser. The members are defined by WebAuthn, and new ones are passed through. */
export const passkeyOptionsSchema = z
  .looseObject({ challenge: z.string().describe('Challenge that the authenticator signs, base64url') })
  .describe('`PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of WebAuthn');

const credentialFields = {
  id: base64urlSchema.max(1400).describe('Id of the credential'),
  rawId: base64urlSchema.max(1400).describe('The same'),
  type: z.literal('public-key').describe('Kind of the credential'),
  authenticatorAttachment: z
    .enum(['cross-platform', 'platform'])
    .optional()
    .describe('Attachment of the authenticator'),
  clientExtensionResults: z.record(z.string(), z.unknown()).describe('Results of extensions; not used'),
};

/** `RegistrationResponseJSON` of WebAuthn. */
export const passkeyRegistrationSchema = z.strictObject({
  ...credentialFields,
  response: z
    .strictObject({
      clientDataJSON: base64urlSchema.describe('Client data (`clientDataJSON`)'),
      attestationObject: base64urlSchema.describe('Attestation object'),
      authenticatorData: base64urlSchema.optional().describe('Part of the attestation object; not used'),
      transports: z.array(z.string().max(32)).max(16).optional().describe('Transports of the authenticator'),
      publicKeyAlgorithm: z.number().optional().describe('Not used'),
      publicKey: base64urlSchema.optional().describe('Not used'),
    })
    .describe('Response of the authenticator'),
});

/** `AuthenticationResponseJSON` of WebAuthn. */
export const passkeyAuthenticationSchema = z.strictObject({
  ...credentialFields,
  response: z
    .strictObject({
      clientDataJSON: base64urlSchema.describe('Client data (`clientDataJSON`)'),
      authenticatorData: base64urlSchema.describe('Authenticator data'),
      signature: base64urlSchema.describe('Signature of client data and authenticator data'),
      userHandle: base64urlSchema.optional().describe('User handle'),
    })
    .describe('Response of the authenticator'),
});
