import { z } from 'zod';
import { MAX_COMMENT_CHARACTERS } from '../case-terms.ts';
import { EXECUTION_STATUSES } from './execution-status.ts';
import { storableText } from './storable-text.ts';

const at = z.iso.datetime();

export const commentIdSchema = z
  .string()
  .regex(/^cmt_[0-9a-f]{32}$/, 'must be the id of a comment')
  .describe('Id of a comment');

export const commentBodySchema = z.strictObject({
  text: storableText(MAX_COMMENT_CHARACTERS)
    .refine((text) => text.trim() !== '', 'must be text')
    .describe('Markdown, at most 10,000 characters. `@name` mentions an analyst, who is notified by e-mail')
    .meta({ example: '@annabel the crash addresses match the advisory. Can you isolate web-1?' }),
});

export const commentSchema = z.object({
  id: z.string(),
  createdAt: at,
  actor: z.string().describe('Author: user:<id>, key:<keyId> or operator'),
  username: z.string().nullable().describe('Username of the author at that time'),
  text: z.string().nullable().describe('Markdown; null: the comment was deleted'),
  mentions: z.array(z.string()).describe('Names that the text mentions, without `@`'),
  editedAt: at.nullable().describe('null: never edited'),
  deletedAt: at.nullable().describe('null: not deleted'),
  own: z.boolean().describe('Whether the caller wrote it, and may edit and delete it'),
});

export const commentListSchema = z.object({
  data: z.array(commentSchema).describe('Oldest first'),
  limit: z.int().describe('The requested page size'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});

export const personSchema = z.object({
  username: z.string().describe('Username').meta({ example: 'annabel' }),
  email: z.string().describe('E-mail address, in lower case').meta({ example: 'annabel@example.org' }),
  role: z.enum(['analyst', 'admin']),
});

export const linkedExecutionSchema = z.object({
  executionId: z.string().describe('exec_…'),
  kind: z.enum(['workflow', 'agent']),
  name: z.string().nullable().describe('Slug of the workflow or agent'),
  at: at.describe('Time at which the execution was linked'),
  actor: z.string(),
  username: z.string().nullable(),
  status: z.enum(EXECUTION_STATUSES).nullable().describe('Status of the execution; null when it was deleted'),
});

export const linkExecutionSchema = z.strictObject({
  executionId: storableText(100)
    .describe('Id of an execution that the caller may see')
    .meta({ example: 'exec_01k0example' }),
});

export const notificationSettingsSchema = z.strictObject({
  mentions: z.boolean().describe('E-mail when a comment mentions you').meta({ example: true }),
  assignments: z
    .boolean()
    .describe('E-mail when a detection, a case or a task is assigned to you')
    .meta({ example: true }),
});
export type NotificationSettings = z.output<typeof notificationSettingsSchema>;
