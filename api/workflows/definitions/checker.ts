import type { EngineFeatures } from '#api/executions/engine/contract/engine-features.ts';
import {
  type BoundedThreads,
  createBoundedThreads,
  ThreadLimitError,
  ThreadsBusyError,
} from '#api/threads/bounded-threads.ts';
import type { CheckedDefinition } from './check.ts';
import type { CheckerReply, CheckerRequest } from './checker-worker.ts';
import type { NamedText } from './diff.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import type { JsonRecord } from './walk.ts';

/** Validates, draws and compares definitions in a bounded thread, so a hostile text does not block the process. */
export interface DefinitionChecker {
  /** Rejects with `CheckerBusy` if too many requests are queued. `key`: the account, for fair scheduling. */
  check(text: string, key?: string): Promise<CheckedDefinition>;
  /** Validates the schemas of a definition, including fetched ones. Rejects with `CheckerBusy`. */
  checkSchemas(definition: JsonRecord, key?: string): Promise<readonly DefinitionIssue[]>;
  /** Returns a Mermaid chart; undefined if the definition is too large. */
  draw(definition: JsonRecord, key?: string): Promise<string | undefined>;
  /** Returns a unified diff; undefined if the comparison takes too long. */
  compare(before: NamedText, after: NamedText, key?: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface CheckerOptions {
  /** Time limit of one check in ms, see `limitThread`. Default 5,000. */
  readonly timeLimitMs?: number;
  /** An idle thread, which holds about 100 MB, ends after this time in ms. Default 60,000. */
  readonly idleMs?: number;
  /** Maximum number of queued requests. Default 20. */
  readonly maxQueued?: number;
  /** Features that the operator has enabled. Default: all optional features disabled. */
  readonly features?: EngineFeatures;
}

/** Thrown if too many definitions are queued. */
export class CheckerBusy extends Error {
  override readonly name = 'CheckerBusy';
}

const NO_FEATURES: EngineFeatures = { shell: false, containers: false };
/** Needed for nested names and schemas. The YAML parser reports too deep nesting as a stack overflow. */
const STACK_MB = 4;
const MEMORY_MB = 256;

/** Creates a checker. Its thread starts with the first definition and does not keep the process alive. */
export function createChecker({
  timeLimitMs = 5_000,
  idleMs = 60_000,
  maxQueued = 20,
  features = NO_FEATURES,
}: CheckerOptions = {}): DefinitionChecker {
  const threads: BoundedThreads<CheckerRequest, CheckerReply> = createBoundedThreads({
    file: new URL('./checker-worker.ts', import.meta.url),
    threads: 1,
    timeLimitMs,
    idleMs,
    maxQueued,
    maxQueuedOfKey: Math.ceil(maxQueued / 2),
    memoryMb: MEMORY_MB,
    stackMb: STACK_MB,
  });
  let closed = false;

  async function ask(request: CheckerRequest, key: string | undefined): Promise<CheckerReply> {
    try {
      return await threads.run(request, key);
    } catch (error) {
      if (error instanceof ThreadsBusyError)
        throw new CheckerBusy(
          closed ? 'definitions are not checked any more' : 'too many definitions wait to be checked',
        );
      if (!(error instanceof ThreadLimitError)) throw error;
      return { kind: 'failed', message: `it takes too ${error.limit === 'time' ? 'long' : 'much memory'} to check` };
    }
  }

  return {
    async check(text, key) {
      const reply = await ask({ kind: 'check', text, features }, key);
      if (reply.kind === 'checked') return reply.checked;
      return {
        ok: false,
        issues: [problem([], reply.kind === 'failed' ? reply.message : 'the definition cannot be checked')],
      };
    },
    async checkSchemas(definition, key) {
      const reply = await ask({ kind: 'schemas', definition }, key);
      if (reply.kind === 'schemas-checked') return reply.issues;
      return [problem([], reply.kind === 'failed' ? reply.message : 'the schemas cannot be checked')];
    },
    async draw(definition, key) {
      const reply = await ask({ kind: 'draw', definition }, key);
      return reply.kind === 'drawn' ? reply.mermaid : undefined;
    },
    async compare(before, after, key) {
      const reply = await ask({ kind: 'compare', before, after }, key);
      return reply.kind === 'compared' ? reply.diff : undefined;
    },
    async close() {
      closed = true;
      await threads.close();
    },
  };
}
