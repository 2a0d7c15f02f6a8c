import type { CatalogTask } from '../../engine/contract/call-task.ts';
import { isObject } from '../../engine/interpreter/json.ts';
import { checkSupported } from '../../engine/release/check-supported.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';

/** Enabled here because the worker checks `run` when the task runs. */
const FEATURES = { shell: true, containers: true, schemaResources: false };

/**
 * Creates the task that fetches a function of a catalog. It validates the function like a release validates those of a
 * definition.
 */
export function createCatalogTask({ documents }: { readonly documents: Documents }) {
  return async ({ document }: CatalogTask, context: TaskContext): Promise<JsonValue> => {
    const found = await documents.value(document, context);
    if (!isObject(found)) throw taskFailure('configuration', context.step, 'the function of the catalog is not a task');
    const refusals = checkSupported({ do: [{ function: found }] }, FEATURES);
    if (refusals.length > 0) {
      const reasons = refusals.map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`);
      throw taskFailure('configuration', context.step, `the function of the catalog: ${reasons.join('; ')}`);
    }
    return found;
  };
}
