import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import { type LimitCheck, TOO_DEEP } from './limit-check.ts';
import type { ScriptFailed, ScriptStart } from './messages.ts';

/** Moves values between a script and the host, within the limits of the script. */
export interface ScriptValues {
  /** Copies a string into the interpreter. Throws `ScriptThrew` if memory is exhausted. */
  copyIn(text: string): QuickJSHandle;
  /** Returns the result of an evaluation. Throws `ScriptThrew` if the evaluation threw. */
  unwrap(evaluated: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle;
  /** Returns the failure for a value that the script threw. */
  failedBy(error: QuickJSHandle): ScriptFailed;
  /** Returns name, message and line of a thrown value. Getters among them run under the same limits. */
  describe(error: QuickJSHandle): { readonly name: string; readonly message: string; readonly line?: string };
  /** Returns a string of the script for display, cut to the remaining size of the log. */
  shown(text: QuickJSHandle): string;
  /** True if the log has reached its maximum size. */
  isLogFull(): boolean;
  /** Returns the length of a string in characters. */
  lengthOf(text: QuickJSHandle): number;
}

/** Ends the current part of a script. */
export class ScriptThrew extends Error {
  readonly end: ScriptFailed;
  constructor(end: ScriptFailed) {
    super('the script ended');
    this.end = end;
  }
}

export function createScriptValues(
  context: QuickJSContext,
  reached: LimitCheck,
  limits: ScriptStart['limits'],
): ScriptValues {
  let logLength = 0;

  function lengthOf(text: QuickJSHandle): number {
    using length = context.getProp(text, 'length');
    return context.getNumber(length);
  }

  function shown(text: QuickJSHandle): string {
    if (context.typeof(text) === 'string' && lengthOf(text) > limits.logLength) return '[too long to be shown]';
    const part = context.getString(text).slice(0, Math.max(0, limits.logLength - logLength));
    logLength += part.length + 1;
    return part;
  }

  function describe(error: QuickJSHandle): { name: string; message: string; line?: string } {
    if (context.typeof(error) !== 'object') return { name: 'thrown', message: shown(error) };
    using name = context.getProp(error, 'name');
    using message = context.getProp(error, 'message');
    using stack = context.getProp(error, 'stack');
    const where = context.typeof(stack) === 'string' ? /script\.js:(?<line>\d+)/.exec(shown(stack))?.groups : undefined;
    return {
      name: context.typeof(name) === 'string' ? shown(name) : 'Error',
      message: context.typeof(message) === 'string' ? shown(message) : 'thrown',
      ...(where?.line === undefined ? {} : { line: where.line }),
    };
  }

  function failedBy(error: QuickJSHandle): ScriptFailed {
    if (reached.checkMemory() !== undefined) return reached.failure();
    const { name, message, line } = describe(error);
    // The thrown value may have getters.
    if (reached.checkMemory() !== undefined) return reached.failure();
    if (name === 'InternalError' && message === 'out of memory') return reached.outOfMemory();
    if (name === 'InternalError' && message === 'stack overflow') return TOO_DEEP;
    const text = `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`;
    return { type: 'failed', reason: name === 'SyntaxError' ? 'syntax' : 'error', message: text };
  }

  return {
    copyIn(text) {
      // The library does not check whether memory is available for the string.
      const handle = context.newString(text);
      if (reached.checkMemory() !== undefined) throw new ScriptThrew(reached.failure());
      return handle;
    },
    unwrap(evaluated) {
      if (evaluated.error !== undefined) throw new ScriptThrew(failedBy(evaluated.error));
      return evaluated.value;
    },
    failedBy,
    describe,
    shown,
    isLogFull: () => logLength > limits.logLength,
    lengthOf,
  };
}
