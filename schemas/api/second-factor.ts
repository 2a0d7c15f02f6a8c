import { z } from 'zod';

/** A code of a second factor, as a user types it. */
export const secondFactorCodeSchema = z
  .string()
  .min(6)
  .max(32)
  .describe('Six digits of the authenticator app, or a recovery code')
  .meta({ example: '042137' });

export const totpCodeSchema = z
  .string()
  .regex(/^\d{3} ?\d{3}$/, 'six digits are expected')
  .describe('Six digits of the authenticator app')
  .meta({ example: '042137' });

/** A secret for an authenticator app. */
export const newTotpSchema = z.object({
  secret: z.string().describe('In base 32, to type in').meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  uri: z
    .string()
    .describe('Address for a QR code')
    .meta({ example: 'otpauth://totp/Trapline:ada%40example.org?issuer=Trapline&secret=JBSWY3DPEHPK3PXP' }),
});

export const recoveryCodesSchema = z
  .array(z.string().meta({ example: '7k2m-9xqd-04tv-he5c' }))
  .describe('Each works once, instead of a second factor; they cannot be read again');

/** A sign-in that waits for its second step. */
export const secondStepSchema = z.object({
  step: z
    .enum(['verify', 'enrol'])
    .describe('`verify`: prove a second factor; `enrol`: the role needs one, and the account has none')
    .meta({ example: 'verify' }),
  expiresAt: z.string().describe('Until when it waits').meta({ example: '2026-01-02T03:14:05.678Z' }),
});

/** The second factors of the caller. */
export const ownFactorsSchema = z.object({
  totp: z.boolean().describe('Whether an authenticator app is enrolled').meta({ example: true }),
  passkeys: z.number().describe('Passkeys of the account').meta({ example: 1 }),
  recoveryCodesLeft: z.number().describe('Recovery codes that are not used').meta({ example: 10 }),
  required: z.boolean().describe('Whether the role needs a second factor').meta({ example: false }),
  confirmedUntil: z
    .string()
    .nullable()
    .describe('Until when this session may change second factors; null: confirm first')
    .meta({ example: '2026-01-02T03:14:05.678Z' }),
  confirmBy: z
    .enum(['password', 'code'])
    .describe('What confirms the session: the password, or a code for an account without one')
    .meta({ example: 'password' }),
});

/** The second factors of an account, as administrators see them. */
export const administeredFactorsSchema = ownFactorsSchema.pick({
  totp: true,
  passkeys: true,
  recoveryCodesLeft: true,
});
