import type { WorkflowDefinition } from '#api/executions/engine/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { findVersion } from '../tables/workflow-versions.ts';
import { findRunnable } from '../tables/workflows.ts';

/** Released definitions as workers need them. */
export interface StoredDefinitions {
  /** Of a version, by its id; undefined when it does not exist. A version never changes: it may be cached without limit. */
  definitionOf(versionId: string): Promise<WorkflowDefinition | undefined>;
  /** The workflow or block that an execution of this owner runs by name; `version` is an id, a tag or `latest`. Undefined: the owner may run no such workflow. */
  resolveWorkflow(wanted: {
    readonly slug: string;
    readonly version: string;
    readonly ownerId: string | null;
  }): Promise<{ readonly workflowId: string; readonly versionId: string } | undefined>;
}

export function createStoredDefinitions({ database }: { readonly database: Database }): StoredDefinitions {
  return {
    async definitionOf(versionId) {
      const found = await database
        .selectFrom('workflowVersions')
        .select('definition')
        .where('id', '=', versionId)
        .executeTakeFirst();
      return found?.definition as WorkflowDefinition | undefined;
    },
    async resolveWorkflow({ slug, version, ownerId }) {
      const workflow = await findRunnable(database, ownerId, slug);
      if (workflow === undefined) return undefined;
      const found = await findVersion(database, workflow, version);
      return found === undefined ? undefined : { workflowId: workflow.id, versionId: found.id };
    },
  };
}
