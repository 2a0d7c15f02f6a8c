import { LRUCache } from 'lru-cache';
import { measureJson } from '../../json-size.ts';
import type { WorkflowDefinition } from '../contract/port.ts';

/** Limits of the cache of definitions: number, and characters of JSON. */
const MAX_DEFINITIONS = 500;
const MAX_DEFINITION_CHARACTERS = 8 * 1024 * 1024;

/** Returns the definition of a released version, which never changes, or undefined if it does not exist. */
export type DefinitionOf = (versionId: string) => Promise<WorkflowDefinition | undefined>;

/** Caches the definitions of released versions, which never change (LRU). */
export function rememberDefinitions(load: DefinitionOf): DefinitionOf {
  const definitions = new LRUCache<string, Promise<WorkflowDefinition | undefined>>({
    max: MAX_DEFINITIONS,
    maxSize: MAX_DEFINITION_CHARACTERS,
  });
  return (versionId) => {
    const known = definitions.get(versionId);
    if (known !== undefined) return known;
    const loading = load(versionId);
    definitions.set(versionId, loading, { size: 1 });
    // Only existing versions may be cached: a missing one can be added later.
    loading.then(
      (definition) => {
        if (definition === undefined) definitions.delete(versionId);
        else definitions.set(versionId, loading, { size: charactersOf(definition) });
      },
      () => definitions.delete(versionId),
    );
    return loading;
  };
}

/** Size of the JSON, for the cache. A definition larger than the limit counts as too large to cache. */
function charactersOf(definition: WorkflowDefinition): number {
  const maxBytes = MAX_DEFINITION_CHARACTERS;
  const size = measureJson(definition, { maxBytes, maxNodes: maxBytes, maxDepth: Number.POSITIVE_INFINITY });
  return 'exceeds' in size ? maxBytes + 1 : size.bytes + 1;
}
