import type { RecentExecutionsDeps } from './routes/v1/executions/list.ts';
import type { Database } from './store/database.ts';
import { findAgent } from './store/tables/agents.ts';
import { findWorkflow } from './store/tables/workflows.ts';

/** Finds the workflow or agent of an id or slug, as far as the viewer may see it. The list of executions filters by it. */
export function createFindUnit({ database }: { readonly database: Database }): RecentExecutionsDeps['findUnit'] {
  return async (kind, viewer, idOrSlug) => {
    if (kind === 'workflow') return (await findWorkflow(database, viewer, idOrSlug))?.id;
    const { userId, administrator } = viewer;
    const all = administrator || userId === undefined;
    return (await findAgent(database, idOrSlug, all ? { all: true } : { all: false, userId }))?.id;
  };
}
