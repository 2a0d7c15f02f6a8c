import type { z } from 'zod';
import type { listedWorkflowSchema, workflowSchema, workflowVersionSchema } from '#schemas/api/workflows.ts';
import type { ListedVersion } from '../tables/workflow-versions.ts';
import type { ListedWorkflow, Workflow } from '../tables/workflows.ts';

/** Returns a workflow for callers. `tag` is the tag of its current version. */
export function workflowRecord(workflow: Workflow, tag: string): z.input<typeof workflowSchema> {
  return {
    id: workflow.id,
    name: workflow.slug,
    kind: workflow.kind,
    version: tag,
    // Present only for deleted workflows, because strict clients reject unknown keys.
    ...(workflow.archivedAt === null ? {} : { archived: true }),
    createdAt: workflow.createdAt.toISOString(),
    updatedAt: workflow.updatedAt.toISOString(),
  };
}

/** Returns a workflow for lists. The title is present if requested and if the definition has one. */
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
