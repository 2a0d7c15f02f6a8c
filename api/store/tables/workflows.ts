import type { Generated, Selectable } from 'kysely';

export const WORKFLOW_KINDS = ['workflow', 'block'] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];

/** `private`: of the owner. `shared`: everybody who may read and run workflows may this one. */
export const VISIBILITIES = ['private', 'shared'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A workflow, or a block that workflows are made of. What it does is in its versions. */
export interface WorkflowsTable {
  /** `wf_…` */
  id: string;
  /** Its name; unique. */
  slug: string;
  kind: WorkflowKind;
  /** null: of the operator of the machine, whom no user is. */
  ownerId: string | null;
  visibility: Generated<Visibility>;
  currentVersionId: string;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type Workflow = Selectable<WorkflowsTable>;
