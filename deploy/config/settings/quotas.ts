import { z } from 'zod';
import { byteSize, orUnlimited, wholeNumber } from '../values.ts';

const quotaCount = orUnlimited(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }));
const quotaBytes = orUnlimited(byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }));

/** Default quotas per user. An administrator can set others for a user: `PATCH /api/admin/users/{id}/quota`. */
export const quotasSettings = {
  TRAPLINE_QUOTA_STORAGE: quotaBytes
    .default(2 * 2 ** 30)
    .describe('bytes of files, definitions and examples a user may keep, older versions included, or unlimited'),
  TRAPLINE_QUOTA_AGENTS: quotaCount.default(200).describe('agents a user may have, or unlimited'),
  TRAPLINE_QUOTA_WORKFLOWS: quotaCount.default(500).describe('workflows a user may have, or unlimited'),
  TRAPLINE_QUOTA_VERSIONS: quotaCount
    .default(20_000)
    .describe('versions of workflows and agent workspaces a user may have, or unlimited'),
  TRAPLINE_QUOTA_API_KEYS: quotaCount
    .default(5_000)
    .describe('API keys a user may have, revoked ones included, or unlimited'),
  TRAPLINE_QUOTA_EXECUTIONS: quotaCount
    .default(10_000)
    .describe('executions a user may have queued, running and waiting, or unlimited'),
  TRAPLINE_QUOTA_EXECUTION_BYTES: quotaBytes
    .default(5 * 2 ** 30)
    .describe('bytes of inputs, results, steps and log lines of executions a user may keep, or unlimited'),
  TRAPLINE_QUOTA_EVENTS: quotaCount.default(100_000).describe('events a user may send in 24 hours, or unlimited'),
  TRAPLINE_QUOTA_ADMINISTRATORS: z
    .enum(['unlimited', 'limited'], 'must be unlimited or limited')
    .default('unlimited')
    .describe('whether quotas apply to administrators too: unlimited, limited. The operator has no quotas'),
};
