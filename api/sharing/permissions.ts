import type { Viewer } from './viewer.ts';

/** Permissions of a grant. `run` and `edit` include `view`, `edit` includes `run`; `approve` includes `view`. */
export const PERMISSIONS = ['view', 'run', 'edit', 'approve'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Actions on a workflow or agent, or on one of its executions. */
export type Action =
  /** Reads it, including versions and files. */
  | 'view'
  | 'run'
  /** Changes it: releases, triggers, files, examples. */
  | 'edit'
  /** Decides which other users may use it. */
  | 'share'
  /** Reads an execution. */
  | 'view-execution'
  /** Cancels an execution, or gives feedback on its result. */
  | 'change-execution'
  /** Decides a pending approval, if the workflow does not name approvers. */
  | 'approve'
  /**
   * Processes tasks of its executions in an external worker. The role of administrators does not include this: see
   * `userMaySql`.
   */
  | 'work';

interface Rule {
  /** True if the owner of the workflow or agent may. */
  readonly owner: boolean;
  /** True if all users with the required role may when it is shared with everyone. */
  readonly shared: boolean;
  /** True if the user who started the execution may. */
  readonly starter: boolean;
  /** Any of these grants suffices. */
  readonly grants: readonly Permission[];
}

/** The only definition of permissions. `mayDo` and the query conditions (`conditions.ts`) are both derived from it. */
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

/** Relation of a viewer to a workflow or agent, or to one of its executions. */
export interface Standing {
  readonly administrator: boolean;
  readonly owner: boolean;
  readonly shared: boolean;
  readonly starter: boolean;
  readonly grants: readonly Permission[];
}

/** True if a viewer with this relation may perform the action. Administrators may perform all actions. */
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

/** The data of a workflow or agent that the rules need. `grants` are those of the viewer (`grantsOf`). */
export interface SharedUnit {
  /** Null: the operator. */
  readonly ownerId: string | null;
  readonly visibility: 'private' | 'shared';
  readonly grants: readonly Permission[];
}

/** Returns the relation of the viewer to a workflow or agent, and to the execution that `starterId` started. */
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

/** Returns the viewer's permissions on a workflow or agent, for responses. */
export function permissionsOf(viewer: Viewer, unit: SharedUnit) {
  const standing = standingOf(viewer, unit);
  return {
    run: mayDo('run', standing),
    edit: mayDo('edit', standing),
    share: mayDo('share', standing),
  };
}
