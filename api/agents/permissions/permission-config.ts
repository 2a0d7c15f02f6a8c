import { z } from 'zod';
import { EXCEPTIONS } from '#api/executions/approvals/policy.ts';
import { roleSchema } from '#schemas/api/roles.ts';

/** Decisions about a call of a tool: run it, wait for a person, or refuse it. */
export const TOOL_DECISIONS = ['allow', 'ask', 'deny'] as const;
export type ToolDecision = (typeof TOOL_DECISIONS)[number];

/** How long a run waits for a decision, in seconds. */
export const APPROVAL_SECONDS = { least: 60, most: 30 * 86_400, preset: 86_400 } as const;

const pattern = (what: string, max: number) => z.string().min(1).max(max).describe(what);

const ruleSchema = z.strictObject({
  tool: pattern('Name of a tool, such as http.fetch; * matches any characters', 200),
  arguments: z
    .record(
      z.string().min(1).max(100),
      pattern('Pattern for the value of the argument; * matches any characters', 2048),
    )
    .describe('Arguments by name, each with the pattern for its value; default: any arguments')
    .optional(),
  decision: z.enum(TOOL_DECISIONS),
});
export type ToolRule = z.output<typeof ruleSchema>;

const name = z.string().min(1).max(200);
const approverSchema = z.union([
  z.strictObject({ user: name.describe('Username') }),
  z.strictObject({ team: name.describe('Name of a team') }),
  z.strictObject({ role: roleSchema.describe('Everyone with this role or a higher one') }),
]);

const approvalSchema = z.strictObject({
  approvers: z
    .array(approverSchema)
    .min(1)
    .max(50)
    .describe('Who decides; default: the user who started the run, users with the grant approve, and administrators')
    .optional(),
  except: z
    .array(z.enum(EXCEPTIONS))
    .max(EXCEPTIONS.length)
    .describe('Who cannot decide in spite of that; lastEditor: the author of the version of the workspace that runs')
    .optional(),
  count: z.int().min(1).max(10).describe('How many different users have to approve; default 1').optional(),
  expiresAfterSeconds: z
    .int()
    .min(APPROVAL_SECONDS.least)
    .max(APPROVAL_SECONDS.most)
    .describe('Time limit for the decision, after which the call is rejected; default one day')
    .optional(),
});

/** The tools a run may use, and who decides about calls that need a decision. */
export const permissionsSchema = z
  .strictObject({
    default: z.enum(TOOL_DECISIONS).describe('Of calls that no rule names; default deny').optional(),
    rules: z
      .array(ruleSchema)
      .max(100)
      .describe('If several permissions match, deny precedes ask, and ask precedes allow')
      .optional(),
    approval: approvalSchema.describe('Who decides about calls that ask').optional(),
  })
  .describe('Permissions of tools');
export type PermissionConfig = z.output<typeof permissionsSchema>;

/** Permissions of an agent that is created without permissions and tools: only the files of its own run. */
export const LEAST_PERMISSIONS: PermissionConfig = {
  default: 'deny',
  rules: [{ tool: 'files.*', decision: 'allow' }],
};
