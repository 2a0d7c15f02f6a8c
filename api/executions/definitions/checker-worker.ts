import { parentPort } from 'node:worker_threads';
import { READY } from '../bounded-threads.ts';
import { checkSupported } from '../engine/check-supported.ts';
import { createJqInstance } from '../expressions/jq-instance.ts';
import { type CheckedDefinition, checkDefinition } from './check.ts';
import { drawDefinition } from './draw.ts';
import type { JsonRecord } from './walk.ts';

/** The thread of `createChecker`: answers one request after another. Posts `READY` once. */
export type CheckerRequest =
  | { readonly kind: 'check'; readonly text: string }
  | { readonly kind: 'draw'; readonly definition: JsonRecord };
export type CheckerReply =
  | { readonly kind: 'checked'; readonly checked: CheckedDefinition }
  | { readonly kind: 'drawn'; readonly mermaid: string }
  | { readonly kind: 'failed'; readonly message: string };

const JQ_MEMORY_BYTES = 256 * 1024 * 1024;

const port = parentPort;
if (port !== null) {
  const jq = await createJqInstance(JQ_MEMORY_BYTES);
  const answer = (reply: CheckerReply): void => port.postMessage(reply);
  port.on('message', (request: CheckerRequest) => {
    try {
      answer(
        request.kind === 'check'
          ? { kind: 'checked', checked: checkDefinition(request.text, { jq, checkSupported }) }
          : { kind: 'drawn', mermaid: drawDefinition(request.definition) },
      );
    } catch (error) {
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  });
  port.postMessage(READY);
}
