import { actorOf, type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { type Action, mayDo, standingOf } from '#api/sharing/permissions.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { asSharing, type SeenAgent, type Viewer } from './tables/agents.ts';

/** The caller of an operation on agents. */
export interface Requester {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  /** Length of the causal chain behind the request; see `CAUSATION_HEADER`. */
  readonly causation?: number;
  /** Trace context of the request. */
  readonly trace?: TraceContext | undefined;
}

/** Returns what the requester may see: everything for administrators, otherwise their own and shared agents. */
export function viewerOf({ caller }: Requester): Viewer {
  if (caller.role === 'admin') return { all: true };
  const userId = userOf(caller);
  // The operator has the role admin, and hosts have no scope for agents.
  if (userId === undefined) throw apiError('not_found', 'there is no such agent');
  return { all: false, userId };
}

/** Returns the owner of a new row; null for the operator. */
export function ownerOf({ caller }: Requester): string | null {
  return userOf(caller) ?? null;
}

const NEEDED: Readonly<Partial<Record<Action, string>>> = {
  run: 'you may read this agent, but not run it: its owner can grant `run`',
  edit: 'only its owner, administrators and users with the grant `edit` change an agent',
  share: 'only its owner and administrators share an agent',
};

/** Throws a 403 if the requester sees the agent but lacks the permission for the action. */
export function requireMay(requester: Requester, action: Action, agent: SeenAgent): void {
  if (!mayDo(action, standingOf(asSharing(viewerOf(requester)), agent)))
    throw apiError('forbidden', NEEDED[action] ?? 'you may read this agent only');
}

/** Throws a 403 if the requester sees the execution but may not change it. */
export function requireChange({ mayChange }: { readonly mayChange: boolean }): void {
  if (!mayChange)
    throw apiError(
      'forbidden',
      'you may read this execution, but not change it: the owner of the agent can grant `run`',
    );
}

/**
 * Returns whose executions lists of an agent show: all for viewers with that permission, otherwise the viewer's own.
 */
export function listViewer(requester: Requester, agent: SeenAgent): Viewer {
  const viewer = viewerOf(requester);
  return mayDo('view-execution', standingOf(asSharing(viewer), agent)) ? { all: true } : viewer;
}

/** Returns the name of the requester for the audit log and workspace versions. */
export function authorOf({ caller }: Requester) {
  return { actor: actorOf(caller) };
}
