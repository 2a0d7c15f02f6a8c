import { z } from 'zod';
import { futureTimeSchema } from './future-time.ts';
import { scopeSchema } from './roles.ts';

/** No control characters. */
const LABEL = /^[ -~\u00a0-\uffff]+$/;

export const keyIdSchema = z
  .string()
  .max(64)
  .describe('What stands before the dot of a key')
  .meta({ example: 'tl_4Yb0dWn1Kq7x' });

const networkSchema = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an address or a network is expected, such as 203.0.113.0/24')
  .describe('Address or network');
const resourceNamesSchema = (what: string) =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(100)
        .regex(/^[\w.-]+$/, `the id or name of ${what} is expected`),
    )
    .max(50)
    .describe(`Ids or names of ${what}s, as they stand in addresses of requests`);
const MAX_PER_MINUTE = 100_000;
const MAX_PER_DAY = 100_000;

/** Restrictions of a key in addition to its scopes. */
const restrictionFields = {
  networks: z.array(networkSchema).max(50).describe('Addresses and networks it may be used from; empty: any'),
  workflows: resourceNamesSchema('workflow'),
  agents: resourceNamesSchema('agent'),
  requestsPerMinute: z.int().min(1).max(MAX_PER_MINUTE).describe('Requests in any 60 seconds; more get 429'),
  requestsPerDay: z.int().min(1).max(MAX_PER_DAY).describe('Requests in any 24 hours; more get 429'),
};

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
    expiresAt: futureTimeSchema
      .describe(
        'From then on the key is refused; default: never, or the longest life that the server permits. A time to come',
      )
      .optional(),
    networks: restrictionFields.networks.optional(),
    workflows: restrictionFields.workflows.optional(),
    agents: restrictionFields.agents.optional(),
    requestsPerMinute: restrictionFields.requestsPerMinute.optional(),
    requestsPerDay: restrictionFields.requestsPerDay.optional(),
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
  rotatedAt: z.string().nullable().describe('When it got its secret; null: when it was made'),
  previousUntil: z
    .string()
    .nullable()
    .describe('Until when the secret before the last rotation is valid; null: no such secret'),
  networks: z.array(z.string()).describe('Addresses and networks it may be used from; empty: any'),
  workflows: z.array(z.string()).describe('With `agents`: all that it may be used for; both empty: everything'),
  agents: z.array(z.string()).describe('See `workflows`'),
  requestsPerMinute: z.number().nullable().describe('Requests in any 60 seconds; null: no limit of its own'),
  requestsPerDay: z.number().nullable().describe('Requests in any 24 hours; null: no limit of its own'),
  leakedAt: z.string().nullable().describe('When a secret scanner found it in public; null: never'),
});

/** The fields of a key that can be changed. */
export const changedApiKeySchema = z
  .strictObject({
    label: newApiKeySchema.shape.label.optional(),
    networks: restrictionFields.networks.optional(),
    workflows: restrictionFields.workflows.optional(),
    agents: restrictionFields.agents.optional(),
    requestsPerMinute: restrictionFields.requestsPerMinute.nullable().optional(),
    requestsPerDay: restrictionFields.requestsPerDay.nullable().optional(),
  })
  .refine(({ workflows, agents }) => (workflows === undefined) === (agents === undefined), {
    message: 'workflows and agents are set together',
    path: ['workflows'],
  })
  .meta({ example: { networks: ['203.0.113.0/24'], requestsPerMinute: 60 } });

const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 30 * DAY_SECONDS;

export const rotationSchema = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(DAY_SECONDS)
      .describe('How long the secret until now stays valid; 0: not at all'),
    expiresAt: futureTimeSchema
      .describe('New end of the key; default: as until now, or the longest life that the server permits')
      .optional(),
  })
  .meta({ example: { overlapSeconds: DAY_SECONDS } });

export const rotatedApiKeySchema = z.object({
  apiKey: z.string().describe('`<keyId>.<secret>` with the new secret: returned this once'),
  keyId: keyIdSchema,
  previousUntil: z.string().describe('Until when the secret before it is valid'),
  expiresAt: z.string().nullable().describe('When the key ends; null: never'),
});

/** Number of requests with a key, per day. */
export const keyUsageSchema = z.object({
  days: z.array(
    z.object({
      day: z.string().describe('UTC').meta({ example: '2026-01-02' }),
      requests: z.number().describe('Requests that were permitted').meta({ example: 1200 }),
      groups: z
        .array(
          z.object({
            group: z.string().describe('Part of the API').meta({ example: 'workflows' }),
            requests: z.number().describe('Requests to it').meta({ example: 1200 }),
          }),
        )
        .describe('By part of the API'),
    }),
  ),
});
export const apiKeysSchema = z.object({ data: z.array(apiKeySchema) });
export type ApiKeyBody = z.infer<typeof apiKeySchema>;
