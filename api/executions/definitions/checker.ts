import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../thread-environment.ts';
import { limitThread } from '../limit-thread.ts';
import type { CheckedDefinition } from './check.ts';
import type { CheckerReply, CheckerRequest } from './checker-worker.ts';
import { problem } from './issue.ts';
import type { JsonRecord } from './walk.ts';

/** Checks and draws definitions in a thread of their own, which is ended when one takes too long: a hostile text costs nobody else anything. */
export interface DefinitionChecker {
  /** Rejects with `CheckerBusy` when too many wait. */
  check(text: string): Promise<CheckedDefinition>;
  /** Mermaid; undefined when the definition is too large to be drawn. */
  draw(definition: JsonRecord): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface CheckerOptions {
  /** Of one check, see `limitThread`. Default 5 s. */
  readonly timeLimitMs?: number;
  /** After so long without a definition the thread ends; it holds some 100 MB. Default 60 s. */
  readonly idleMs?: number;
  /** Waiting at most. Default 20. */
  readonly maxQueued?: number;
}

/** Too many definitions wait to be checked. */
export class CheckerBusy extends Error {
  override readonly name = 'CheckerBusy';
}

const MEMORY_MB = 512;
/** Names and schemas nest; the parser of YAML tells of what is too deep by running out of stack. */
const STACK_MB = 4;

interface Waiting {
  readonly request: CheckerRequest;
  readonly settle: (reply: CheckerReply) => void;
}

/** The thread begins with the first definition and keeps nothing alive. */
export function createChecker({
  timeLimitMs = 5_000,
  idleMs = 60_000,
  maxQueued = 20,
}: CheckerOptions = {}): DefinitionChecker {
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let ready = false;
  let current: { readonly waiting: Waiting; readonly stopLimit: () => void } | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function ask(request: CheckerRequest): Promise<CheckerReply> {
    if (closed) return Promise.reject(new CheckerBusy('definitions are not checked any more'));
    if (queue.length >= maxQueued) return Promise.reject(new CheckerBusy('too many definitions wait to be checked'));
    const { promise, resolve } = Promise.withResolvers<CheckerReply>();
    queue.push({ request, settle: resolve });
    next();
    return promise;
  }

  function next(): void {
    if (current !== undefined || queue.length === 0) return;
    worker ??= begin();
    if (!ready) return;
    const waiting = queue.shift() as Waiting;
    clearTimeout(idle);
    worker.ref();
    const at = worker;
    current = { waiting, stopLimit: limitThread(at, timeLimitMs, () => end(at, 'it takes too long to check')) };
    worker.postMessage(waiting.request);
  }

  function begin(): Worker {
    const begun = new Worker(new URL('./checker-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
      env: threadEnvironment(),
      argv: [],
    });
    ready = false;
    begun.on('message', (reply: CheckerReply) => {
      if (worker !== begun) return;
      if (reply.kind === 'ready') ready = true;
      else finish(reply);
      next();
    });
    begun.on('error', () => end(begun, 'it takes too much memory to check'));
    begun.on('exit', () => end(begun, 'it can not be checked'));
    return begun;
  }

  function finish(reply: CheckerReply): void {
    if (current === undefined) return;
    current.stopLimit();
    const { settle } = current.waiting;
    current = undefined;
    worker?.unref();
    idle = setTimeout(rest, idleMs).unref();
    settle(reply);
  }

  function rest(): void {
    if (current !== undefined || queue.length > 0) return;
    const ending = worker;
    worker = undefined;
    ready = false;
    void ending?.terminate();
  }

  /** What it was at is told of its end; another one does the rest. */
  function end(ended: Worker | undefined, message: string): void {
    if (ended === undefined || worker !== ended) return;
    worker = undefined;
    // One that ends before it is ready would end again and again.
    const begunWell = ready;
    ready = false;
    void ended.terminate();
    finish({ kind: 'failed', message });
    if (!begunWell) for (const { settle } of queue.splice(0)) settle({ kind: 'failed', message });
    next();
  }

  return {
    async check(text) {
      const reply = await ask({ kind: 'check', text });
      if (reply.kind === 'checked') return reply.checked;
      return { ok: false, issues: [problem([], reply.kind === 'failed' ? reply.message : 'it can not be checked')] };
    },
    async draw(definition) {
      const reply = await ask({ kind: 'draw', definition });
      return reply.kind === 'drawn' ? reply.mermaid : undefined;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      const ending = worker;
      worker = undefined;
      finish({ kind: 'failed', message: 'definitions are not checked any more' });
      for (const { settle } of queue.splice(0))
        settle({ kind: 'failed', message: 'definitions are not checked any more' });
      await ending?.terminate();
    },
  };
}
