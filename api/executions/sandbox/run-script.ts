import { EvalFlags, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from 'quickjs-emscripten';
import { type Answer, createHostFunctions } from './host-functions.ts';
import type { Interpreter } from './interpreter.ts';
import { createLimitCheck, TOO_DEEP } from './limit-check.ts';
import type { ScriptMessage, ScriptOutcome, ScriptStart } from './messages.ts';
import { PRELUDE } from './prelude.ts';
import { isModule, scriptModule } from './script-modules.ts';
import { createScriptValues, ScriptThrew, type ScriptValues } from './script-values.ts';

/** A script that runs in this thread. */
export interface ScriptRun {
  /** Passes the result of a host call and continues the script until it needs another. */
  answer(message: Answer): void;
}

/** Stack of the interpreter. The stack of the thread is many times as large. */
const STACK_BYTES = 256 * 1024;
/** Flag missing in the typings: allows top-level `await`. The result is a promise of `{value}`. */
const ASYNC = 1 << 7;
const SCRIPT_FLAGS = EvalFlags.JS_EVAL_TYPE_GLOBAL | ASYNC;

/**
 * Runs one script in a new WebAssembly instance, which is never reused. Reports to `post`; the last message is a
 * `ScriptEnd`. It is `clean` if no limit was reached, no host call is pending, no job of the interpreter is pending and
 * its memory has not grown.
 */
export function runScript(
  interpreter: Interpreter,
  script: ScriptStart,
  post: (message: ScriptMessage) => void,
): ScriptRun {
  const { limits } = script;
  let ended = false;
  let result: QuickJSHandle | undefined;

  interpreter.limitHeap(limits.memoryBytes);
  const reached = createLimitCheck(interpreter, limits);
  const runtime: QuickJSRuntime = interpreter.quickjs.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(reached.interrupts);
  runtime.setModuleLoader(scriptModule);
  const context: QuickJSContext = runtime.newContext();
  const values = createScriptValues(context, reached, limits);
  const host = createHostFunctions({ context, reached, values, limits, post });

  compute(() => {
    const finish = prepare();
    const { evaluated, member } = evaluate(context, values, script.code);
    result = values.unwrap(context.callFunction(finish, context.undefined, evaluated, context.newString(member)));
  });
  return {
    answer(message) {
      if (!ended && host.isOpen(message.call)) compute(() => host.settle(message));
    },
  };

  /** Continues the script and reports the outcome. */
  function compute(step: () => void): void {
    const end = reached.count(() => settle(step));
    ended = end !== undefined;
    post(end === undefined ? { type: 'waiting' } : { ...end, clean: isClean(end), seen: host.seenRefusals() });
  }

  function isClean(end: ScriptOutcome): boolean {
    const byItself = end.type === 'done' || end.reason === 'error' || end.reason === 'syntax';
    // The memory of an ended instance is freed only when the thread collects its garbage.
    if (interpreter.grown()) return false;
    return byItself && reached.reached() === undefined && host.openCalls() === 0 && !runtime.hasPendingJob();
  }

  function settle(step: () => void): ScriptOutcome | undefined {
    try {
      step();
      const jobs = runtime.executePendingJobs();
      if (jobs.error !== undefined) return values.failedBy(jobs.error);
      if (reached.checkMemory() !== undefined) return reached.failure();
      const end = outcome();
      return reached.checkMemory() === undefined ? end : reached.failure();
    } catch (error) {
      // The interpreter itself failed: it exhausted its stack or its memory.
      if (reached.checkMemory() !== undefined) return reached.failure();
      if (error instanceof ScriptThrew) return error.end;
      return error instanceof RangeError ? TOO_DEEP : reached.outOfMemory();
    }
  }

  function outcome(): ScriptOutcome | undefined {
    if (result === undefined) return undefined;
    const state = context.getPromiseState(result);
    if (state.type === 'rejected') return values.failedBy(state.error);
    if (state.type === 'pending')
      return host.openCalls() > 0
        ? undefined
        : { type: 'failed', reason: 'stuck', message: 'the script waits for a promise that never settles' };
    if (context.typeof(state.value) !== 'string') return { type: 'done', json: undefined };
    if (values.lengthOf(state.value) <= limits.valueLength)
      return { type: 'done', json: context.getString(state.value) };
    const message = `the value of the script is larger than ${limits.valueLength} characters`;
    return { type: 'failed', reason: 'size', message };
  }

  /** Returns the function that produces the value of the script from the evaluated code. */
  function prepare(): QuickJSHandle {
    const prelude = values.unwrap(context.evalCode(PRELUDE, 'sandbox.js'));
    const { argumentsJson, environmentJson, inputJson, hostCalls } = script;
    const given = [argumentsJson, environmentJson, inputJson, JSON.stringify(hostCalls)].map(values.copyIn);
    return values.unwrap(context.callFunction(prelude, context.undefined, ...host.create(), ...given));
  }
}

/** Begins a script. Returns the promise of an object, and the name of its member that is the value of the script. */
function evaluate(
  context: QuickJSContext,
  values: ScriptValues,
  code: string,
): { readonly evaluated: QuickJSHandle; readonly member: string } {
  const asScript = context.evalCode(code, 'script.js', SCRIPT_FLAGS);
  if (asScript.error === undefined) return { evaluated: asScript.value, member: 'value' };
  const { name, message } = values.describe(asScript.error);
  // No code of the script has run yet.
  const isSyntax = name === 'SyntaxError';
  if (isSyntax && message.includes('return not in a function')) {
    const asBody = context.evalCode(`(async () => {${code}\n})()`, 'script.js', SCRIPT_FLAGS);
    return { evaluated: values.unwrap(asBody), member: 'value' };
  }
  if (!isSyntax || !isModule(code)) throw new ScriptThrew(values.failedBy(asScript.error));
  const asModule = context.evalCode(code, 'script.js', { type: 'module' });
  return { evaluated: values.unwrap(asModule), member: 'default' };
}
