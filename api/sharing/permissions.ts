import type { Viewer } from './viewer.ts';

/** What a grant gives. `run` and `edit` include `view`, `edit` includes `run`; `approve` includes `view`. */
export const PERMISSIONS = ['view', 'run', 'edit', 'approve'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What a person does with a workflow or agent, or with one of its executions. */
export type Action =
  /** Reads it, with its versions and files. */
  | 'view'
  | 'run'
  /** Changes it: releases, triggers, files, examples. */
  | 'edit'
  /** Decides who else may use it. */
  | 'share'
  /** Reads an execution. */
  | 'view-execution'
  /** Cancels an execution, or says something about its result. */
  | 'change-execution'
  /** Decides for an execution that waits, where the workflow does not name who decides. */
  | 'approve'
  /** Does tasks of its executions in an external worker. Administrators have no workers by their role: see `userMaySql`. */
  | 'work';

interface Rule {
  /** The owner of the workflow or agent may. */
  readonly owner: boolean;
  /** All who may run anything may, when it is shared with everyone. */
  readonly shared: boolean;
  /** The user who started the execution may. */
  readonly starter: boolean;
  /** Any of these grants suffices. */
  readonly grants: readonly Permission[];
}

/** The only place that says who may do what. `mayDo` and the conditions of queries (`conditions.ts`) are both made of it. */
export const RULES: Readonly<Record<Action, Rule>> = {
  view: { owner: true, shared: true, starter: false, grants: PERMISSIONS },
  run: { owner: true, shared: true, starter: false, grants: ['run', 'edit'] },
  edit: { owner: true, shared: false, starter: false, grants: ['edit'] },
  share: { owner: true, shared: false, starter: false, grants: [] },
  'view-execution': { owner: true, shared: false, starter: true, grants: PERMISSIONS },
  'change-execution': { owner: true, shared: false, starter: true, grants: ['run', 'edit'] },
  approve: { owner: false, shared: false, starter: true, grants: ['approve'] },
  work: { owner: true, shared: false, starter: false, grants: ['edit'] },
};

/** What ties a viewer to a workflow or agent, or to one of its executions. */
export interface Standing {
  readonly administrator: boolean;
  readonly owner: boolean;
  readonly shared: boolean;
  readonly starter: boolean;
  readonly grants: readonly Permission[];
}

/** Whether a viewer with this standing may do this. Administrators may do everything. */
export function mayDo(action: Action, { administrator, owner, shared, starter, grants }: Standing): boolean {
  const rule = RULES[action];
  return (
    administrator ||
    (rule.owner && owner) ||
    (rule.shared && shared) ||
    (rule.starter && starter) ||
    rule.grants.some((permission) => grants.includes(permission))
  );
}

/** A workflow or agent as the rules see it; `grants` are those of the viewer (`grantsOf`). */
export interface SharedUnit {
  /** Null: the operator. */
  readonly ownerId: string | null;
  readonly visibility: 'private' | 'shared';
  readonly grants: readonly Permission[];
}

/** How the viewer stands to a workflow or agent, and to the execution that `starterId` started. */
export function standingOf(
  { userId, administrator }: Viewer,
  { ownerId, visibility, grants }: SharedUnit,
  starterId: string | null = null,
): Standing {
  return {
    administrator,
    owner: userId !== undefined && ownerId === userId,
    shared: visibility === 'shared',
    starter: userId !== undefined && starterId === userId,
    grants,
  };
}

/** What the viewer may do with a workflow or agent, as responses say it. */
export function permissionsOf(viewer: Viewer, unit: SharedUnit) {
  const standing = standingOf(viewer, unit);
  return {
    run: mayDo('run', standing),
    edit: mayDo('edit', standing),
    share: mayDo('share', standing),
  };
}
