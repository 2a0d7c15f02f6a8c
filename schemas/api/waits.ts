import { z } from 'zod';
import { roleSchema } from './roles.ts';
import { storableText } from './storable-text.ts';

const json = z.unknown();

/** The condition that an event must meet to end a wait. */
export const waitFilterSchema = z.object({
  with: z
    .record(z.string(), json)
    .describe(
      'attributes that an event must have. A string can be a regular expression; expressions are not evaluated',
    ),
  correlate: z.record(
    z.string(),
    z.object({
      from: z.string().describe('expression on the event'),
      expect: json.optional().describe('value that the expression must return; absent: the value for the first event'),
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
  mode: z.enum(['one', 'any', 'all']).describe('whether an event for one filter suffices, or each filter needs one'),
  filters: z.array(waitFilterSchema),
  since: z.iso.datetime(),
  workflow: unit.nullable().describe('null: the execution is that of an agent'),
  agent: unit.nullable().describe('null: the execution is that of a workflow'),
  toolCall: z
    .object({
      tool: z.string(),
      arguments: z
        .string()
        .describe(
          'JSON, without values of secrets. Untrusted: the agent chose the arguments, possibly from data of an attacker',
        ),
      truncated: z.boolean().describe('true if the arguments were truncated'),
      expiresAt: z.iso.datetime().describe('time at which the call is rejected if there is no decision'),
    })
    .nullable()
    .describe('tool call that needs a decision; null: the wait is not for a tool call'),
  input: json.optional().describe('input of the execution; omitted if it is larger than 16 KiB'),
  approval: z
    .object({
      approvers: z
        .array(
          z.union([z.object({ user: z.string() }), z.object({ team: z.string() }), z.object({ role: roleSchema })]),
        )
        .describe('empty: everyone with the right to approve'),
      except: z.array(z.enum(['starter', 'lastEditor'])),
      count: z.int().describe('number of different users that must approve'),
    })
    .nullable()
    .describe('approvers, as named by the workflow; null: it names none'),
  decisions: z.array(z.object({ by: z.string(), approved: z.boolean(), note: z.string().nullable() })),
  mayDecide: z.boolean().describe('whether the caller may decide and has not yet decided'),
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
