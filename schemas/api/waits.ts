import { z } from 'zod';
import { roleSchema } from './roles.ts';
import { storableText } from './storable-text.ts';

const json = z.unknown();

/** The condition that an event must meet to end a wait. */
export const waitFilterSchema = z.object({
  with: z.record(z.string(), json).describe('attributes; texts may be regular expressions, expressions are as written'),
  correlate: z.record(
    z.string(),
    z.object({
      from: z.string().describe('expression on the event'),
      expect: json.optional().describe('what it has to yield; absent: whatever the first event yields'),
    }),
  ),
});

const unit = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  summary: z.string().nullable(),
});

/** An execution that waits for an event. */
export const waitSchema = z.object({
  executionId: z.string().describe('exec_…'),
  wait: z.string().describe('unique in its execution'),
  step: z.string().describe('path of the step in the definition'),
  mode: z.enum(['one', 'any', 'all']).describe('how many of the filters need an event'),
  filters: z.array(waitFilterSchema),
  since: z.iso.datetime(),
  workflow: unit.nullable().describe('null: the execution is that of an agent'),
  agent: unit.nullable().describe('null: the execution is that of a workflow'),
  toolCall: z
    .object({
      tool: z.string(),
      arguments: z
        .string()
        .describe('JSON without values of secrets. The agent chose them, possibly by data of an attacker: untrusted'),
      truncated: z.boolean().describe('the arguments are longer'),
      expiresAt: z.iso.datetime().describe('after that the call is refused'),
    })
    .nullable()
    .describe('the call of a tool that a decision is about; null: another wait'),
  input: json.optional().describe('of the execution; left out when it has more than 16 KiB'),
  approval: z
    .object({
      approvers: z
        .array(
          z.union([z.object({ user: z.string() }), z.object({ team: z.string() }), z.object({ role: roleSchema })]),
        )
        .describe('empty: those who may decide where no approvers are named'),
      except: z.array(z.enum(['starter', 'lastEditor'])),
      count: z.int().describe('how many different users have to approve'),
    })
    .nullable()
    .describe('who decides, as the workflow says it; null: it says nothing'),
  decisions: z.array(z.object({ by: z.string(), approved: z.boolean(), note: z.string().nullable() })),
  mayDecide: z.boolean().describe('whether the caller may decide, and has not decided yet'),
});

/** Request body of POST /api/v1/waits/decide. */
export const decisionBodySchema = z
  .strictObject({
    executionId: storableText(100).describe('exec_…'),
    wait: storableText(1000).describe('`wait` of the list of waits'),
    approved: z.boolean(),
    note: storableText(4000).optional().describe('part of the event, and of the audit log'),
  })
  .meta({ example: { executionId: 'exec_01k0example', wait: '/do/0/answer#listen.1', approved: true } });

export const decisionResponseSchema = z.object({
  outcome: z.enum(['approved', 'rejected', 'counted']).describe('counted: more approvals are needed'),
  approvals: z.int().optional().describe('so far, when counted'),
  needed: z.int().optional(),
});
