import type { z } from 'zod';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import type { caseFileSchema, caseSchema, caseTaskSchema, templateSchema } from '#schemas/api/cases.ts';
import type { commentSchema, linkedExecutionSchema } from '#schemas/api/comments.ts';
import { secondsBetween } from '../case-rules.ts';
import type { CaseChangedBy } from '../changed-by.ts';
import { isOwn } from '../comments/comment-rules.ts';
import { mentionsOf } from '../comments/mentions.ts';
import type { CaseFile } from '../tables/case-files.ts';
import type { CaseTask } from '../tables/case-tasks.ts';
import type { CaseTemplate } from '../tables/case-templates.ts';
import type { CountedCase } from '../tables/cases.ts';
import type { CommentRow } from '../tables/comments.ts';
import type { ListedExecution } from '../tables/linked-executions.ts';

/** Converts a case for lists of the API. */
export function caseRecord(row: CountedCase): z.output<typeof caseSchema> {
  const { id, number, version, title, description, severity, status, reason, assignee, campaignId } = row;
  const { detections, tasks, tasksDone, createdAt, createdBy, changedAt, acknowledgedAt, closedAt } = row;
  return {
    id,
    number,
    etag: entityTag(version),
    title,
    description,
    severity,
    status,
    reason,
    assignee,
    campaign: campaignId,
    detections,
    tasks,
    tasksDone,
    createdAt: createdAt.toISOString(),
    createdBy,
    changedAt: changedAt.toISOString(),
    acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null,
    timeToAcknowledge: secondsBetween(createdAt, acknowledgedAt),
    timeToClose: secondsBetween(createdAt, closedAt),
  };
}

export function taskRecord({ id, title, assignee, done }: CaseTask): z.output<typeof caseTaskSchema> {
  return { id, title, assignee, done };
}

export function fileRecord({ contentHash, addedAt, caseId: _, ...file }: CaseFile): z.output<typeof caseFileSchema> {
  return { ...file, sha256: contentHash, addedAt: addedAt.toISOString() };
}

/** Converts a comment for this caller. */
export function commentRecord(
  row: CommentRow,
  by: Pick<CaseChangedBy, 'userId' | 'actor'>,
): z.output<typeof commentSchema> {
  const { id, createdAt, actor, username, text, editedAt, deletedAt } = row;
  return {
    id,
    createdAt: createdAt.toISOString(),
    actor,
    username,
    text,
    mentions: text === null ? [] : mentionsOf(text),
    editedAt: editedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
    own: isOwn(row, by),
  };
}

export function executionLinkRecord({
  subject: _,
  at,
  ...link
}: ListedExecution): z.output<typeof linkedExecutionSchema> {
  return { ...link, at: at.toISOString() };
}

export function templateRecord({ version, changedAt, ...template }: CaseTemplate): z.output<typeof templateSchema> {
  return { ...template, etag: entityTag(version), changedAt: changedAt.toISOString() };
}
