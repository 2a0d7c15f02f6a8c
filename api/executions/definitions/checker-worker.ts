import { parentPort } from 'node:worker_threads';
import { READY } from '../bounded-threads.ts';
import { checkSupported } from '../engine/check-supported.ts';
import { createJqInstance, type JqInstance } from '../expressions/jq-instance.ts';
import { type CheckedDefinition, checkDefinition } from './check.ts';
import { type NamedText, unifiedDiff } from './diff.ts';
import { drawDefinition } from './draw.ts';
import type { JsonRecord } from './walk.ts';

/** The thread of `createChecker`: answers one request after another. Posts `READY` once. */
export type CheckerRequest =
  | { readonly kind: 'check'; readonly text: string }
  | { readonly kind: 'compare'; readonly before: NamedText; readonly after: NamedText }
  | { readonly kind: 'draw'; readonly definition: JsonRecord };
export type CheckerReply =
  | { readonly kind: 'checked'; readonly checked: CheckedDefinition }
  | { readonly kind: 'compared'; readonly diff: string }
  | { readonly kind: 'drawn'; readonly mermaid: string }
  | { readonly kind: 'failed'; readonly message: string };

const JQ_MEMORY_BYTES = 256 * 1024 * 1024;

const port = parentPort;
if (port !== null) {
  const jq = await createJqInstance(JQ_MEMORY_BYTES);
  const answer = (reply: CheckerReply): void => port.postMessage(reply);
  port.on('message', (request: CheckerRequest) => {
    try {
      answer(replyTo(request, jq));
    } catch (error) {
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  });
  port.postMessage(READY);
}

function replyTo(request: CheckerRequest, jq: JqInstance): CheckerReply {
  switch (request.kind) {
    case 'check':
      return { kind: 'checked', checked: checkDefinition(request.text, { jq, checkSupported }) };
    case 'compare':
      return { kind: 'compared', diff: unifiedDiff(request.before, request.after) };
    case 'draw':
      return { kind: 'drawn', mermaid: drawDefinition(request.definition) };
  }
}
