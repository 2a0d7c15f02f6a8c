import type { z } from 'zod';
import type { listedWorkflowSchema, workflowSchema, workflowVersionSchema } from '#schemas/api/workflows.ts';
import type { ListedVersion } from '../tables/workflow-versions.ts';
import type { ListedWorkflow, Workflow } from '../tables/workflows.ts';

/** A workflow as callers see it; `tag` is that of its current version. */
export function workflowRecord(workflow: Workflow, tag: string): z.input<typeof workflowSchema> {
  return {
    id: workflow.id,
    name: workflow.slug,
    kind: workflow.kind,
    version: tag,
    // Strict clients take no further key for what is active.
    ...(workflow.archivedAt === null ? {} : { archived: true }),
    createdAt: workflow.createdAt.toISOString(),
    updatedAt: workflow.updatedAt.toISOString(),
  };
}

/** A workflow of a list. The title is there when it was asked for and the definition has one. */
export function listedRecord({ title, ...row }: ListedWorkflow): z.input<typeof listedWorkflowSchema> {
  return { ...workflowRecord(row, row.version), ...(title == null ? {} : { title }) };
}

export function workflowVersionRecord(
  version: ListedVersion,
  workflow: Pick<Workflow, 'currentVersionId'>,
): z.input<typeof workflowVersionSchema> {
  return {
    id: version.id,
    workflowId: version.workflowId,
    version: version.tag,
    ...(version.yamlContent === null ? {} : { yamlContent: version.yamlContent }),
    isCurrent: version.id === workflow.currentVersionId,
    createdAt: version.createdAt.toISOString(),
  };
}
