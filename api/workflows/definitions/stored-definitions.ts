import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { findVersion } from '../tables/workflow-versions.ts';
import { findRunnable } from '../tables/workflows.ts';

/** Released definitions, for workers. */
export interface StoredDefinitions {
  /**
   * Returns the definition of a version by id; undefined if it does not exist. Versions never change, so callers may
   * cache it without limit.
   */
  definitionOf(versionId: string): Promise<WorkflowDefinition | undefined>;
  /**
   * Resolves the workflow or block that an execution of this owner runs by name. `version` is an id, a tag or `latest`.
   * Returns undefined if the owner may not run it.
   */
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
