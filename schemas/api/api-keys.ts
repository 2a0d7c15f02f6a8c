import { z } from 'zod';
import { scopeSchema } from './roles.ts';
import { timeToComeSchema } from './time-to-come.ts';

/** Text without control characters. */
const LABEL = /^[ -~\u00a0-\uffff]+$/;

export const keyIdSchema = z
  .string()
  .max(64)
  .describe('What stands before the dot of a key')
  .meta({ example: 'tl_4Yb0dWn1Kq7x' });

const scopesSchema = z
  .array(scopeSchema)
  .max(32)
  .describe('What the key may do; never more than the role of its owner allows');

export const newApiKeySchema = z
  .strictObject({
    label: z
      .string()
      .min(1)
      .max(64)
      .regex(LABEL, 'text without control characters is expected')
      .describe('A name by which its owner knows it'),
    scopes: scopesSchema.describe("What the key may do; default: all that its owner's role allows now").optional(),
    expiresAt: timeToComeSchema.describe('From then on the key is refused; default: never. A time to come').optional(),
  })
  .meta({ example: { label: 'nightly job', scopes: ['scrapers'] } });
export type NewApiKeyBody = z.infer<typeof newApiKeySchema>;

export const createdApiKeySchema = z
  .object({
    apiKey: z.string().describe('`<keyId>.<secret>`: returned this once, and never again'),
    keyId: keyIdSchema,
    label: z.string().describe('The name it was given'),
    scopes: scopesSchema,
    expiresAt: z.string().nullable().describe('When it ends; null: never'),
  })
  .meta({
    example: {
      apiKey: `tl_4Yb0dWn1Kq7x.${'0'.repeat(49)}`,
      keyId: 'tl_4Yb0dWn1Kq7x',
      label: 'nightly job',
      scopes: ['scrapers'],
      expiresAt: null,
    },
  });
export type CreatedApiKeyBody = z.infer<typeof createdApiKeySchema>;

export const apiKeySchema = z.object({
  keyId: keyIdSchema,
  label: z.string().describe('The name its owner gave it'),
  scopes: z.array(z.string()).describe('What it was given; what it may do is also bounded by the role of its owner'),
  createdAt: z.string().describe('When it was made'),
  lastUsedAt: z.string().nullable().describe('When it was used last, within some seconds; null: never'),
  revoked: z.boolean().describe('True: it is refused, for good'),
  expiresAt: z.string().nullable().describe('When it ends; null: never'),
});
export const apiKeysSchema = z.object({ data: z.array(apiKeySchema) });
export type ApiKeyBody = z.infer<typeof apiKeySchema>;
