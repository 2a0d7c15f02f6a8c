import { parentPort } from 'node:worker_threads';
import type { EngineFeatures } from '#api/executions/engine/contract/engine-features.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import { createJqInstance, type JqInstance } from '#api/executions/expressions/jq-instance.ts';
import { READY } from '#api/threads/bounded-threads.ts';
import { type CheckedDefinition, type CheckSupported, checkDefinition } from './check.ts';
import { checkSchemas } from './check-schemas.ts';
import { type NamedText, unifiedDiff } from './diff.ts';
import { drawDefinition } from './draw.ts';
import type { DefinitionIssue } from './issue.ts';
import type { JsonRecord } from './walk.ts';

/** Thread of `createChecker`: handles one request at a time. Posts `READY` once. */
export type CheckerRequest =
  | { readonly kind: 'check'; readonly text: string; readonly features: EngineFeatures }
  | { readonly kind: 'compare'; readonly before: NamedText; readonly after: NamedText }
  | { readonly kind: 'draw'; readonly definition: JsonRecord }
  | { readonly kind: 'schemas'; readonly definition: JsonRecord };
export type CheckerReply =
  | { readonly kind: 'checked'; readonly checked: CheckedDefinition }
  | { readonly kind: 'compared'; readonly diff: string }
  | { readonly kind: 'drawn'; readonly mermaid: string }
  | { readonly kind: 'schemas-checked'; readonly issues: readonly DefinitionIssue[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Small, because expressions are compiled but not run. */
const JQ_MEMORY_BYTES = 64 * 1024 * 1024;

const port = parentPort;
if (port !== null) {
  /**
   * An instance is used for the expressions of one definition only, so they cannot affect other definitions. An unused
   * instance is kept, because a new one costs a garbage collection.
   */
  let next = createJqInstance({ memoryBytes: JQ_MEMORY_BYTES });
  const answer = (reply: CheckerReply): void => port.postMessage(reply);
  port.on('message', async (request: CheckerRequest) => {
    let used = false;
    try {
      if (request.kind !== 'check') return answer(replyTo(request));
      const instance = await next;
      const jq: Pick<JqInstance, 'run'> = {
        run(program, document) {
          used = true;
          return instance.run(program, document);
        },
      };
      answer({
        kind: 'checked',
        checked: checkDefinition(request.text, { jq, checkSupported: checkWith(request.features) }),
      });
    } catch (error) {
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    } finally {
      if (used) next = createJqInstance({ memoryBytes: JQ_MEMORY_BYTES });
    }
  });
  await next;
  port.postMessage(READY);
}

const checkWith =
  (features: EngineFeatures): CheckSupported =>
  (definition) =>
    checkSupported(definition, features);

function replyTo(request: Exclude<CheckerRequest, { kind: 'check' }>): CheckerReply {
  switch (request.kind) {
    case 'compare':
      return { kind: 'compared', diff: unifiedDiff(request.before, request.after) };
    case 'draw':
      return { kind: 'drawn', mermaid: drawDefinition(request.definition) };
    case 'schemas':
      return { kind: 'schemas-checked', issues: checkSchemas(request.definition) };
  }
}
