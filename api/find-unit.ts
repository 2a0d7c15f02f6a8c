import { findAgent } from '#api/agents/tables/agents.ts';
import type { RecentExecutionsDeps } from '#api/executions/routes/list.ts';
import type { Database } from '#api/postgres/database.ts';
import { findWorkflow } from '#api/workflows/tables/workflows.ts';

/** Returns the workflow or agent with this id or slug if the viewer may see it. The list of executions filters by it. */
export function createFindUnit({ database }: { readonly database: Database }): RecentExecutionsDeps['findUnit'] {
  return async (kind, viewer, idOrSlug) => {
    if (kind === 'workflow') return (await findWorkflow(database, viewer, idOrSlug))?.id;
    const { userId, administrator } = viewer;
    const all = administrator || userId === undefined;
    return (await findAgent(database, idOrSlug, all ? { all: true } : { all: false, userId }))?.id;
  };
}
