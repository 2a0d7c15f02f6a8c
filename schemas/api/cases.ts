import { z } from 'zod';
import { CASE_REASONS, CASE_STATUSES, MAX_CASE_DETECTIONS, MAX_CASE_TASKS } from '../case-terms.ts';
import { SEVERITIES } from '../detection.ts';
import { detectionIdSchema } from './detections.ts';
import { storableText } from './storable-text.ts';

const at = z.iso.datetime();

export const caseIdSchema = z
  .string()
  .regex(/^case_[0-9a-f]{32}$/, 'the id of a case is expected')
  .describe('Id of a case')
  .meta({ example: 'case_5f0c6c1e0a9c391f6f3c1c9d11a2b3c4' });

export const taskIdSchema = z
  .string()
  .regex(/^task_[0-9a-f]{32}$/, 'the id of a task is expected')
  .describe('Id of a task');
export const fileIdSchema = z
  .string()
  .regex(/^file_[0-9a-f]{32}$/, 'the id of a file is expected')
  .describe('Id of a file of a case');
export const templateIdSchema = z
  .string()
  .regex(/^tpl_[0-9a-f]{32}$/, 'the id of a template is expected')
  .describe('Id of a template of cases');

const fields = {
  title: storableText(200).describe('What it is about').meta({ example: 'Scan for code gadgets on the web servers' }),
  description: storableText(10_000).nullable().describe('Markdown; null: none'),
  severity: z.enum(SEVERITIES).describe('Of the case, which may differ from those of its detections'),
  status: z.enum(CASE_STATUSES).describe('How far the work on it is'),
  reason: z.enum(CASE_REASONS).nullable().describe('Why it is closed; null while it is not'),
  assignee: storableText(64)
    .nullable()
    .describe('The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned'),
} as const;

const taskTitle = storableText(500).describe('What is to be done').meta({ example: 'Isolate the hosts' });
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
    .describe('Default: that of the template, else the highest of the detections, else medium'),
  assignee: fields.assignee.optional(),
  detections: detectionIds.default([]).describe('Detections it begins with, at most 1,000'),
  template: templateIdSchema.optional().describe('Template whose title, severity and tasks it gets'),
});
export type NewCase = z.output<typeof newCaseSchema>;

/** A change of a case. Omitted fields keep their value. */
export const caseChangeSchema = z
  .strictObject({
    title: fields.title.optional(),
    description: fields.description.optional(),
    severity: fields.severity.optional(),
    status: fields.status.optional(),
    reason: fields.reason.optional().describe('Needed to close it; it cannot be given for a case that is not closed'),
    assignee: fields.assignee.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'at least one change is expected');
export type CaseChange = z.output<typeof caseChangeSchema>;

/** A case in a list. */
export const caseSchema = z.object({
  id: caseIdSchema,
  number: z.int().describe('For people: 1, 2, 3 …; numbers can be missing'),
  etag: z.string().describe('For If-Match. It identifies the fields of the case, not its detections, tasks and files'),
  ...fields,
  campaign: z.string().nullable().describe('The detection of a campaign that opened it; null: a user opened it'),
  detections: z.int().describe('Number of its detections'),
  tasks: z.int().describe('Number of its tasks'),
  tasksDone: z.int().describe('Tasks that are done'),
  createdAt: at,
  createdBy: z.string().describe('user:<id>, key:<keyId>, operator or system'),
  changedAt: at.describe('Of the last change of its fields, detections, tasks or files'),
  acknowledgedAt: at.nullable().describe('When it was first in progress, closed or assigned'),
  closedAt: at.nullable(),
  timeToAcknowledge: z.number().nullable().describe('Seconds from its opening to that; null: not yet'),
  timeToClose: z.number().nullable().describe('Seconds from its opening to its last closing; null: it is not closed'),
});

export const caseTaskSchema = z.object({
  id: taskIdSchema,
  title: taskTitle,
  assignee: z.string().nullable(),
  done: z.boolean(),
});

export const caseFileSchema = z.object({
  id: fileIdSchema,
  filename: z.string().describe('As its sender called it'),
  size: z.int().describe('Bytes'),
  sha256: z
    .string()
    .describe('SHA-256 of its content, hexadecimal')
    .meta({ example: 'a'.repeat(64) }),
  addedAt: at,
  addedBy: z.string(),
  username: z.string().nullable(),
});

/** A case with its detections, tasks and files. */
export const wholeCaseSchema = caseSchema.extend({
  detectionIds: z.array(z.string()).describe('Its detections, in the order in which they were added'),
  taskList: z.array(caseTaskSchema).describe('Its tasks, in their order'),
  files: z.array(caseFileSchema).describe('Its evidence files, the oldest first'),
});

export const caseListSchema = z.object({
  data: z.array(caseSchema).describe('The newest first'),
  limit: z.int().describe('As asked for'),
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
    done: z.boolean().optional().describe('Whether it is done'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'at least one change is expected');

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
  data: z.array(happeningSchema).describe('The oldest first'),
  complete: z.boolean().describe('False when the oldest are left out: the newest 2,000 are returned'),
});

const spread = z.object({
  count: z.int().describe('Cases it is computed from'),
  p50: z.number().nullable().describe('Seconds; null without cases'),
  p95: z.number().nullable().describe('Seconds; null without cases'),
});

export const caseMetricsSchema = z.object({
  from: at,
  to: at,
  opened: z.int().describe('Cases opened in the range'),
  stillOpen: z.int().describe('Those of them that are not closed'),
  timeToAcknowledge: spread.describe('Of cases opened in the range that are acknowledged'),
  timeToClose: spread.describe('Of cases opened in the range that are closed'),
});

const templateFields = {
  name: storableText(100).describe('Unique, ignoring case').meta({ example: 'Exploit attempt' }),
  title: fields.title,
  severity: fields.severity,
  tasks: z.array(taskTitle).max(MAX_CASE_TASKS).describe('Titles of its tasks, in their order'),
};
export const templateBodySchema = z.strictObject(templateFields);
export type TemplateBody = z.output<typeof templateBodySchema>;
export const templateSchema = z.object({
  id: templateIdSchema,
  etag: z.string().describe('For If-Match'),
  ...templateFields,
  changedAt: at,
  changedBy: z.string(),
});
