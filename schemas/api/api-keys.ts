import { z } from 'zod';
import { futureTimeSchema } from './future-time.ts';
import { scopeSchema } from './roles.ts';

/** No control characters. */
const LABEL = /^[ -~\u00a0-\uffff]+$/;

export const keyIdSchema = z
  .string()
  .max(64)
  .describe('Public part of a key, before the dot')
  .meta({ example: 'tl_4Yb0dWn1Kq7x' });

const networkSchema = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an address or a network, such as 203.0.113.0/24')
  .describe('Address or network');
const resourceNamesSchema = (what: string) =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(100)
        .regex(/^[\w.-]+$/, `must be the id or name of ${what}`),
    )
    .max(50)
    .describe(`Ids or names of ${what}s, as they stand in addresses of requests`);
const MAX_PER_MINUTE = 100_000;
const MAX_PER_DAY = 100_000;

/** Restrictions of a key in addition to its scopes. */
const restrictionFields = {
  networks: z.array(networkSchema).max(50).describe('Addresses and networks that may use the key; empty: any'),
  workflows: resourceNamesSchema('workflow'),
  agents: resourceNamesSchema('agent'),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(MAX_PER_MINUTE)
    .describe('Limit of requests in any 60 seconds; the API answers further ones with 429'),
  requestsPerDay: z
    .int()
    .min(1)
    .max(MAX_PER_DAY)
    .describe('Limit of requests in any 24 hours; the API answers further ones with 429'),
};

const scopesSchema = z.array(scopeSchema).max(32).describe('What the key may do. The role of its owner also limits it');

export const newApiKeySchema = z
  .strictObject({
    label: z
      .string()
      .min(1)
      .max(64)
      .regex(LABEL, 'must be text without control characters')
      .describe('Label, to recognise the key by'),
    scopes: scopesSchema
      .describe('What the key may do; default: all scopes that the role of its owner allows now')
      .optional(),
    expiresAt: futureTimeSchema
      .describe(
        'Time at which the key expires, in the future. Default: never, or the longest lifetime that the server permits',
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
    apiKey: z.string().describe('`<keyId>.<secret>`. Only this response contains it'),
    keyId: keyIdSchema,
    label: z.string().describe('Label of the key'),
    scopes: scopesSchema,
    expiresAt: z.string().nullable().describe('Time at which the key expires; null: never'),
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
  label: z.string().describe('Label of the key'),
  scopes: z.array(z.string()).describe('Scopes of the key. The role of its owner also limits it'),
  createdAt: z.string().describe('Time of creation'),
  lastUsedAt: z.string().nullable().describe('Time of the last use, accurate to some seconds; null: never'),
  revoked: z.boolean().describe('True: the key was revoked and can no longer be used'),
  expiresAt: z.string().nullable().describe('Time at which the key expires; null: never'),
  rotatedAt: z.string().nullable().describe('Time of the last rotation; null: never rotated'),
  previousUntil: z
    .string()
    .nullable()
    .describe('Time until which the previous secret stays valid; null: no previous secret'),
  networks: z.array(z.string()).describe('Addresses and networks that may use the key; empty: any'),
  workflows: z
    .array(z.string())
    .describe('The only workflows that the key may be used for, together with `agents`; both empty: no restriction'),
  agents: z.array(z.string()).describe('See `workflows`'),
  requestsPerMinute: z
    .number()
    .nullable()
    .describe('Limit of requests in any 60 seconds; null: the key has no limit of its own'),
  requestsPerDay: z
    .number()
    .nullable()
    .describe('Limit of requests in any 24 hours; null: the key has no limit of its own'),
  leakedAt: z.string().nullable().describe('Time at which a secret scanner found the key in public; null: never'),
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
      .describe('How long the previous secret stays valid; 0: it is invalid at once'),
    expiresAt: futureTimeSchema
      .describe('New time of expiry. Default: unchanged, or the longest lifetime that the server permits')
      .optional(),
  })
  .meta({ example: { overlapSeconds: DAY_SECONDS } });

export const rotatedApiKeySchema = z.object({
  apiKey: z.string().describe('`<keyId>.<secret>` with the new secret. Only this response contains it'),
  keyId: keyIdSchema,
  previousUntil: z.string().describe('Time until which the previous secret stays valid'),
  expiresAt: z.string().nullable().describe('Time at which the key expires; null: never'),
});

export type RotationBody = z.infer<typeof rotationSchema>;
export type RotatedApiKeyBody = z.infer<typeof rotatedApiKeySchema>;

/** Number of requests with a key, per day. */
export const keyUsageSchema = z.object({
  days: z.array(
    z.object({
      day: z.string().describe('UTC').meta({ example: '2026-01-02' }),
      requests: z.number().describe('Number of requests that were permitted').meta({ example: 1200 }),
      groups: z
        .array(
          z.object({
            group: z.string().describe('Part of the API').meta({ example: 'workflows' }),
            requests: z.number().describe('Requests to this part of the API').meta({ example: 1200 }),
          }),
        )
        .describe('Requests for each part of the API'),
    }),
  ),
});
export const apiKeysSchema = z.object({ data: z.array(apiKeySchema) });
export type ApiKeyBody = z.infer<typeof apiKeySchema>;
