import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';
import type { HttpTask, ResourceReference } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';

/** External documents that tasks need: API descriptions, functions, schemas. */
export interface Documents {
  /** Returns the text of a document. Rejects with `TaskFailure`. */
  text(reference: ResourceReference, context: TaskContext): Promise<string>;
  /** Returns the value of a JSON or YAML document. */
  value(reference: ResourceReference, context: TaskContext): Promise<JsonValue>;
}

/** Maximum number of alias expansions in a YAML document. */
const MAX_ALIASES = 100;
const KEPT_MS = 60_000;
const KEPT_BYTES = 16 * 2 ** 20;

/**
 * Fetches documents like `call: http`, and caches them for a minute: a loop that calls one API fetches its description
 * once. The cache is per workflow, because a document may need the secrets of its owner.
 */
export function createDocuments({
  http,
}: {
  readonly http: (task: HttpTask, context: TaskContext) => Promise<JsonValue>;
}): Documents {
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: (text) => text.length + 1,
  });

  async function text(reference: ResourceReference, context: TaskContext): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify([context.workflowId, reference]))
      .digest('hex');
    const known = kept.get(key);
    if (known !== undefined) return known;
    const raw = await http(
      {
        kind: 'http',
        method: 'GET',
        headers: {},
        query: {},
        body: undefined,
        output: 'raw',
        redirect: false,
        ...reference,
      },
      context,
    );
    const found = Buffer.from(String(raw ?? ''), 'base64').toString('utf8');
    kept.set(key, found);
    return found;
  }

  return {
    text,
    async value(reference, context) {
      const found = await text(reference, context);
      try {
        return JSON.parse(found) as JsonValue;
      } catch {
        // Not JSON: parsed as YAML below.
      }
      try {
        return (parse(found, { maxAliasCount: MAX_ALIASES }) ?? null) as JsonValue;
      } catch {
        throw taskFailure('configuration', context.step, 'the document is neither JSON nor YAML');
      }
    },
  };
}
