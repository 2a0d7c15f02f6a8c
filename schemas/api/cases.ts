import { z } from 'zod';
import { CASE_REASONS, CASE_STATUSES, MAX_CASE_DETECTIONS, MAX_CASE_TASKS } from '../case-terms.ts';
import { SEVERITIES } from '../detection.ts';
import { detectionIdSchema } from './detections.ts';
import { storableText } from './storable-text.ts';

const at = z.iso.datetime();

export const caseIdSchema = z
  .string()
  .regex(/^case_[0-9a-f]{32}$/, 'must be the id of a case')
  .describe('Id of a case')
  .meta({ example: 'case_5f0c6c1e0a9c391f6f3c1c9d11a2b3c4' });

export const taskIdSchema = z
  .string()
  .regex(/^task_[0-9a-f]{32}$/, 'must be the id of a task')
  .describe('Id of a task');
export const fileIdSchema = z
  .string()
  .regex(/^file_[0-9a-f]{32}$/, 'must be the id of a file')
  .describe('Id of a file of a case');
export const templateIdSchema = z
  .string()
  .regex(/^tpl_[0-9a-f]{32}$/, 'must be the id of a template')
  .describe('Id of a template of cases');

const fields = {
  title: storableText(200).describe('Title of the case').meta({ example: 'Scan for code gadgets on the web servers' }),
  description: storableText(10_000).nullable().describe('Markdown; null: none'),
  severity: z.enum(SEVERITIES).describe('Severity of the case, which can differ from that of its detections'),
  status: z.enum(CASE_STATUSES).describe('Status of the work'),
  reason: z.enum(CASE_REASONS).nullable().describe('Reason for closing; null: the case is not closed'),
  assignee: storableText(64)
    .nullable()
    .describe(
      'Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned',
    ),
} as const;

const taskTitle = storableText(500).describe('Title of the task').meta({ example: 'Isolate the hosts' });
const detectionIds = z
  .array(detectionIdSchema)
  .max(MAX_CASE_DETECTIONS)
  .refine((all) => new Set(all).size === all.length, 'a detection is named twice');

/** A new case. The default title comes from the template or from the first detection. */
export const newCaseSchema = z.strictObject({
  title: fields.title.optional(),
  description: fields.description.optional(),
  severity: fields.severity
    .optional()
    .describe('Default: severity of the template, otherwise the highest severity of the detections, otherwise medium'),
  assignee: fields.assignee.optional(),
  detections: detectionIds.default([]).describe('Detections to link, at most 1,000'),
  template: templateIdSchema.optional().describe('Template for title, severity and tasks'),
});
export type NewCase = z.output<typeof newCaseSchema>;

/** A change of a case. Omitted fields keep their value. */
export const caseChangeSchema = z
  .strictObject({
    title: fields.title.optional(),
    description: fields.description.optional(),
    severity: fields.severity.optional(),
    status: fields.status.optional(),
    reason: fields.reason.optional().describe('Required when the case is closed, and not allowed otherwise'),
    assignee: fields.assignee.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must have at least one change');
export type CaseChange = z.output<typeof caseChangeSchema>;

/** A case in a list. */
export const caseSchema = z.object({
  id: caseIdSchema,
  number: z.int().describe('Number to refer to the case by: 1, 2, 3 …; numbers can be missing'),
  etag: z
    .string()
    .describe('ETag for If-Match. It covers the fields of the case, but not its detections, tasks and files'),
  ...fields,
  campaign: z.string().nullable().describe('Campaign detection that opened the case; null: a user opened it'),
  detections: z.int().describe('Number of linked detections'),
  tasks: z.int().describe('Number of tasks'),
  tasksDone: z.int().describe('Number of completed tasks'),
  createdAt: at,
  createdBy: z.string().describe('user:<id>, key:<keyId>, operator or system'),
  changedAt: at.describe('Time of the last change of its fields, detections, tasks or files'),
  acknowledgedAt: at.nullable().describe('Time at which the case was first in progress, closed or assigned'),
  closedAt: at.nullable(),
  timeToAcknowledge: z
    .number()
    .nullable()
    .describe('Seconds from opening to acknowledgement; null: not yet acknowledged'),
  timeToClose: z.number().nullable().describe('Seconds from opening to the last closing; null: the case is not closed'),
});

export const caseTaskSchema = z.object({
  id: taskIdSchema,
  title: taskTitle,
  assignee: z.string().nullable(),
  done: z.boolean(),
});

export const caseFileSchema = z.object({
  id: fileIdSchema,
  filename: z.string().describe('File name, as the sender gave it'),
  size: z.int().describe('Bytes'),
  sha256: z
    .string()
    .describe('SHA-256 of the content, hexadecimal')
    .meta({ example: 'a'.repeat(64) }),
  addedAt: at,
  addedBy: z.string(),
  username: z.string().nullable(),
});

/** A case with its detections, tasks and files. */
export const wholeCaseSchema = caseSchema.extend({
  detectionIds: z.array(z.string()).describe('Linked detections, in the order in which they were added'),
  taskList: z.array(caseTaskSchema).describe('Tasks, in order'),
  files: z.array(caseFileSchema).describe('Evidence files, oldest first'),
});

export const caseListSchema = z.object({
  data: z.array(caseSchema).describe('Newest first'),
  limit: z.int().describe('The requested page size'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});

export const addDetectionsSchema = z.strictObject({
  detections: detectionIds.min(1).describe('At most 1,000'),
});

export const addedDetectionsSchema = z.object({
  results: z
    .array(z.object({ id: z.string(), outcome: z.enum(['added', 'present', 'not_found']) }))
    .describe('In the order of the request'),
});

export const newTaskSchema = z.strictObject({ title: taskTitle, assignee: fields.assignee.default(null) });
export const taskChangeSchema = z
  .strictObject({
    title: taskTitle.optional(),
    assignee: fields.assignee.optional(),
    done: z.boolean().optional().describe('Whether the task is completed'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must have at least one change');

export const HAPPENINGS = [
  'created',
  'changed',
  'detections_added',
  'detection_removed',
  'task_added',
  'task_changed',
  'task_removed',
  'file_added',
  'file_removed',
  'execution_linked',
  'comment',
] as const;

export const happeningSchema = z.object({
  at,
  actor: z.string(),
  username: z.string().nullable(),
  kind: z.enum(HAPPENINGS),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'Depends on the kind: `before` and `after` of changed fields, `detections`, `task`, `file`, `execution`, or `comment` with its id and text',
    ),
});
export type Happening = z.output<typeof happeningSchema>;

export const timelineSchema = z.object({
  data: z.array(happeningSchema).describe('Oldest first'),
  complete: z.boolean().describe('false if the oldest entries are omitted: only the newest 2,000 are returned'),
});

const spread = z.object({
  count: z.int().describe('Number of cases that the value is computed from'),
  p50: z.number().nullable().describe('Seconds; null without cases'),
  p95: z.number().nullable().describe('Seconds; null without cases'),
});

export const caseMetricsSchema = z.object({
  from: at,
  to: at,
  opened: z.int().describe('Number of cases opened in the range'),
  stillOpen: z.int().describe('Number of these cases that are not closed'),
  timeToAcknowledge: spread.describe('Time to acknowledge, for acknowledged cases that were opened in the range'),
  timeToClose: spread.describe('Time to close, for closed cases that were opened in the range'),
});

const templateFields = {
  name: storableText(100).describe('Unique, ignoring case').meta({ example: 'Exploit attempt' }),
  title: fields.title,
  severity: fields.severity,
  tasks: z.array(taskTitle).max(MAX_CASE_TASKS).describe('Titles of the tasks, in order'),
};
export const templateBodySchema = z.strictObject(templateFields);
export type TemplateBody = z.output<typeof templateBodySchema>;
export const templateSchema = z.object({
  id: templateIdSchema,
  etag: z.string().describe('ETag for If-Match'),
  ...templateFields,
  changedAt: at,
  changedBy: z.string(),
});
