import { type Finding, fine, look, wrong } from './check.ts';

export interface CompilerState {
  /** True if the server would compile expensive statements of these sessions: it has LLVM, and `jit` is on. */
  readonly compiles: boolean;
  /** The role of the sessions. */
  readonly role: string;
  /** Functions, as `name(types)`, that disable a kind of plan (which adds a high cost) without `jit = off`. */
  readonly functions: readonly string[];
}

/**
 * Checks whether PostgreSQL JIT-compiles Trapline's statements at each execution, which takes much longer than the
 * execution.
 */
export function judgeCompiler({ compiles, role, functions }: CompilerState): Finding {
  if (functions.length > 0)
    return wrong(
      `${functions.join(', ')} may compile statements at each call`,
      `run as the owner: ${functions.map((name) => `ALTER FUNCTION ${name} SET jit = off;`).join(' ')}`,
    );
  if (compiles)
    return look(
      'expensive statements are compiled each time they run',
      `ALTER ROLE "${role}" SET jit = off, then RECONNECT at the pooler`,
    );
  return fine('statements are not compiled');
}
