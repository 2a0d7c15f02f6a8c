import { z } from 'zod';
import { instantSchema } from './instant.ts';
import { roleSchema } from './roles.ts';
import { storableText } from './storable-text.ts';

/** The permissions of a grant. */
export const permissionSchema = z.enum(['view', 'run', 'edit', 'approve']);

export const teamNameSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be lower-case letters, digits and hyphens, at most 63, a letter or digit at both ends',
  )
  .meta({ example: 'responders' });
const usernameSchema = storableText(100).meta({ example: 'ana' });

/** A team, as shown to administrators and its members. */
export const teamSchema = z.object({
  id: z.string().describe('team_…'),
  name: z.string(),
  description: z.string(),
  memberCount: z.int(),
  members: z
    .array(z.object({ id: z.string(), username: z.string() }))
    .optional()
    .describe('only for administrators and members of the team'),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});

const members = z.array(usernameSchema).max(1000).describe('Usernames of all members');

export const newTeamSchema = z
  .strictObject({
    name: teamNameSchema.describe('Unique name. It cannot be changed, because workflows refer to teams by name'),
    description: storableText(1000, 0).optional(),
    members: members.optional(),
  })
  .meta({ example: { name: 'responders', members: ['ana', 'ben'] } });

export const teamChangeSchema = z
  .strictObject({ description: storableText(1000, 0).optional(), members: members.optional() })
  .meta({ example: { members: ['ana', 'ben'] } });

/** A permission on a workflow or agent. Exactly one of `user`, `team` and `role` is not null. */
export const grantSchema = z.object({
  id: z.string().describe('grant_…'),
  permission: permissionSchema,
  user: z.string().nullable().describe('username'),
  team: z.string().nullable().describe('name of the team'),
  role: roleSchema.nullable().describe('everyone with this role or a higher one'),
  createdAt: instantSchema,
});

export const newGrantSchema = z
  .strictObject({
    permission: permissionSchema.describe(
      'view: read the workflow and all its executions. run: also start and cancel executions. edit: also release and change the workflow. approve: view, and decide on approvals for which the workflow names no approvers',
    ),
    user: usernameSchema.optional().describe('Username'),
    team: teamNameSchema.optional(),
    role: roleSchema.optional().describe('Everyone with this role or a higher one'),
  })
  .refine(({ user, team, role }) => [user, team, role].filter((one) => one !== undefined).length === 1, {
    message: 'must have exactly one of user, team and role',
  })
  .meta({ example: { permission: 'run', team: 'responders' } });

/** The grants of a workflow or agent, and the permissions of the caller. */
export const accessSchema = z.object({
  visibility: z.enum(['private', 'shared']).describe('shared: every user with the right to run workflows may run it'),
  run: z.boolean(),
  edit: z.boolean(),
  share: z.boolean().describe('change its grants and visibility'),
});
