import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import { type LimitCheck, TOO_DEEP } from './limit-check.ts';
import type { ScriptFailed, ScriptStart } from './messages.ts';

/** Moves values between a script and the host, within the limits of the script. */
export interface ScriptValues {
  /** Copies a text into the interpreter. Throws `ScriptThrew` when there is no memory for it. */
  copyIn(text: string): QuickJSHandle;
  /** Returns what was evaluated. Throws `ScriptThrew` when the evaluation threw. */
  unwrap(evaluated: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle;
  /** Returns the failure of a script that threw this. */
  failedBy(error: QuickJSHandle): ScriptFailed;
  /** Returns name, message and line of what was thrown; a getter among them runs under the same limits. */
  describe(error: QuickJSHandle): { readonly name: string; readonly message: string; readonly line?: string };
  /** Returns a text of the script that is shown to people, cut to what the log may still hold. */
  shown(text: QuickJSHandle): string;
  /** True when the log holds as much as it may. */
  isLogFull(): boolean;
  /** Length of a text in characters. */
  lengthOf(text: QuickJSHandle): number;
}

/** Ends the part of a script that runs now. */
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
    // What was thrown may have getters.
    if (reached.checkMemory() !== undefined) return reached.failure();
    if (name === 'InternalError' && message === 'out of memory') return reached.outOfMemory();
    if (name === 'InternalError' && message === 'stack overflow') return TOO_DEEP;
    const text = `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`;
    return { type: 'failed', reason: name === 'SyntaxError' ? 'syntax' : 'error', message: text };
  }

  return {
    copyIn(text) {
      // The library does not check that there is memory for it.
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
