import { actorOf, type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Agent, Viewer } from './tables/agents.ts';

/** Who wants something of an agent. */
export interface Requester {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  /** How many executions stand behind the request; see `CAUSATION_HEADER`. */
  readonly causation?: number;
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

/** Every user who sees a shared agent may run it; only its owner and administrators may change it. */
export function requireOwner(requester: Requester, agent: Pick<Agent, 'ownerId'>): void {
  const viewer = viewerOf(requester);
  if (!viewer.all && viewer.userId !== agent.ownerId)
    throw apiError('forbidden', 'only the owner of an agent and administrators change it');
}

/** Executions that lists of an agent show: all of them to the agent's owner, to others those they ran. */
export function listViewer(requester: Requester, agent: Pick<Agent, 'ownerId'>): Viewer {
  const viewer = viewerOf(requester);
  return viewer.all || viewer.userId === agent.ownerId ? { all: true } : viewer;
}

/** As the audit log and versions of a workspace name the requester. */
export function authorOf({ caller }: Requester) {
  return { actor: actorOf(caller) };
}
