import { actorOf, type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { type Action, mayDo, standingOf } from '#api/sharing/permissions.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { asSharing, type SeenAgent, type Viewer } from './tables/agents.ts';

/** Who wants something of an agent. */
export interface Requester {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  /** How many executions stand behind the request; see `CAUSATION_HEADER`. */
  readonly causation?: number;
  /** What asked for it. */
  readonly trace?: TraceContext | undefined;
}

/** Administrators see everything; others their own and what is shared. */
export function viewerOf({ caller }: Requester): Viewer {
  if (caller.role === 'admin') return { all: true };
  const userId = userOf(caller);
  // The operator has the role admin, and a host no scope for agents.
  if (userId === undefined) throw apiError('not_found', 'there is no such agent');
  return { all: false, userId };
}

/** Whose row something becomes; null: the operator's. */
export function ownerOf({ caller }: Requester): string | null {
  return userOf(caller) ?? null;
}

const NEEDED: Readonly<Partial<Record<Action, string>>> = {
  run: 'you may read this agent, but not run it: its owner can grant `run`',
  edit: 'only its owner, administrators and users with the grant `edit` change an agent',
  share: 'only its owner and administrators share an agent',
};

/** Throws a 403 for an agent that the requester sees, but may not do this with. */
export function requireMay(requester: Requester, action: Action, agent: SeenAgent): void {
  if (!mayDo(action, standingOf(asSharing(viewerOf(requester)), agent)))
    throw apiError('forbidden', NEEDED[action] ?? 'you may read this agent only');
}

/** Throws a 403 for an execution that the requester sees, but may not change. */
export function requireChange({ mayChange }: { readonly mayChange: boolean }): void {
  if (!mayChange)
    throw apiError(
      'forbidden',
      'you may read this execution, but not change it: the owner of the agent can grant `run`',
    );
}

/** Executions that lists of an agent show: all of them to those who may see all, to others those they ran. */
export function listViewer(requester: Requester, agent: SeenAgent): Viewer {
  const viewer = viewerOf(requester);
  return mayDo('view-execution', standingOf(asSharing(viewer), agent)) ? { all: true } : viewer;
}

/** As the audit log and versions of a workspace name the requester. */
export function authorOf({ caller }: Requester) {
  return { actor: actorOf(caller) };
}
