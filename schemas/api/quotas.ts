import { z } from 'zod';

/** Resources with a quota per user, with their labels. Values are counts, except where the name ends in `bytes`. */
export const QUOTA_RESOURCES = {
  storage_bytes: 'Bytes of files, definitions and examples, older versions included',
  agents: 'Agents',
  workflows: 'Workflows',
  versions: 'Versions of workflows and of workspaces',
  api_keys: 'API keys, revoked ones included',
  executions: 'Executions that have not ended',
  execution_bytes: 'Bytes of inputs, results, steps and log lines of executions',
  events: 'Events of the last 24 hours',
} as const;

export type QuotaResource = keyof typeof QUOTA_RESOURCES;
export const QUOTA_RESOURCE_NAMES = Object.keys(QUOTA_RESOURCES) as [QuotaResource, ...QuotaResource[]];

const MAX_QUOTA = Number.MAX_SAFE_INTEGER;
const quota = z.int().min(0).max(MAX_QUOTA).nullable();

export const userQuotaSchema = z.object({
  data: z.array(
    z.object({
      resource: z.enum(QUOTA_RESOURCE_NAMES).describe('Name of the resource').meta({ example: 'agents' }),
      description: z.string().describe('Name of the resource, for display').meta({ example: 'Agents' }),
      used: z.int().describe('Current use').meta({ example: 3 }),
      quota: quota.describe('Limit; null: unlimited').meta({ example: 200 }),
      own: z.boolean().describe('True if an administrator set it for this user; false if it is the default'),
    }),
  ),
});
export type UserQuotaBody = z.infer<typeof userQuotaSchema>;

export const quotaChangeSchema = z
  .strictObject({
    quotas: z
      .partialRecord(z.enum(QUOTA_RESOURCE_NAMES), z.union([quota, z.literal('default')]))
      .describe(
        'For each resource a number, null for unlimited, or "default". Resources that are not named stay unchanged',
      ),
  })
  .meta({ example: { quotas: { agents: 500, storage_bytes: null, events: 'default' } } });
