import {
  EvalFlags,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten';
import type { Interpreter } from './interpreter.ts';
import type { ScriptMessage, ScriptOutcome, ScriptStart, ToThread } from './messages.ts';
import type { LogLine, SandboxFailureReason } from './port.ts';
import { PRELUDE } from './prelude.ts';

type Answer = Extract<ToThread, { type: 'answer' | 'refusal' }>;

/** What this thread has computed so far: on a busy machine the clock goes on while others do. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** A script that runs in this thread. */
export interface ScriptRun {
  /** Continues it until it needs an answer. */
  answer(message: Answer): void;
}

/** Of the interpreter; the thread's own stack is many times as large. */
const STACK_BYTES = 256 * 1024;
const MAX_CALLS_AT_ONCE = 64;
/** Missing in the typings: a script in which `await` may stand, whose result is a promise of `{value}`. */
const ASYNC = 1 << 7;
const SCRIPT_FLAGS = EvalFlags.JS_EVAL_TYPE_GLOBAL | ASYNC;

/** A limit of ours that was reached; kept outside the script, which could catch what is thrown into it. */
interface Broken {
  readonly reason: SandboxFailureReason;
  readonly message: string;
}

/**
 * Runs one script in a WebAssembly instance of the interpreter that ran nothing before and runs nothing afterwards. Reports to `post`; the last message is
 * a `ScriptEnd`. It is `clean` when no limit was reached, no host call is unanswered, no job of the interpreter is pending and its memory has not grown.
 */
export function runScript(
  interpreter: Interpreter,
  script: ScriptStart,
  post: (message: ScriptMessage) => void,
): ScriptRun {
  const { limits } = script;
  const calls = new Map<number, QuickJSDeferredPromise>();
  const refused = new Set<number>();
  /** Numbers of calls whose promise the script awaited, or gave a function to. */
  const used = new Set<number>();
  let broken: Broken | undefined;
  let ended = false;
  let callCount = 0;
  let logLength = 0;
  let computedMs = 0;
  let deadline = 0;

  interpreter.limitHeap(limits.memoryBytes);
  const runtime: QuickJSRuntime = interpreter.quickjs.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => {
    if (checkMemory() === undefined && processorMs() > deadline)
      broken = { reason: 'time', message: `the script computes for longer than ${limits.timeMs} ms` };
    return broken !== undefined;
  });
  const context: QuickJSContext = runtime.newContext();
  let result: QuickJSHandle | undefined;

  compute(() => {
    const finish = prepare();
    result = unwrap(context.callFunction(finish, context.undefined, evaluate()));
  });
  return {
    answer(message) {
      const deferred = calls.get(message.call);
      if (ended || deferred === undefined) return;
      calls.delete(message.call);
      compute(() => {
        if (message.type === 'refusal') {
          refused.add(message.call);
          using error = context.newError(message.message);
          deferred.reject(error);
        } else {
          using value = message.json === undefined ? context.undefined.dup() : textOf(message.json);
          deferred.resolve(value);
        }
        deferred.dispose();
      });
    },
  };

  /** Sets `broken` when memory has run out: a script that catches the error of the interpreter must not go on. */
  function checkMemory(): Broken | undefined {
    if (interpreter.exhausted())
      broken ??= { reason: 'memory', message: `the script needs more than ${limits.memoryBytes} bytes` };
    return broken;
  }

  /** Copies a text into the interpreter. The library does not check that there is memory for it. */
  function textOf(text: string): QuickJSHandle {
    const handle = context.newString(text);
    if (checkMemory() !== undefined) throw new ScriptThrew(limitReached());
    return handle;
  }

  /** Lets the script go on and looks what became of it. */
  function compute(step: () => void): void {
    const began = processorMs();
    deadline = began + limits.timeMs - computedMs;
    const end = settle(step);
    computedMs += processorMs() - began;
    ended = end !== undefined;
    post(
      end === undefined
        ? { type: 'waiting' }
        : { ...end, clean: isClean(end), seen: [...refused].filter((call) => used.has(call)) },
    );
  }

  function isClean(end: ScriptOutcome): boolean {
    const byItself = end.type === 'done' || end.reason === 'error' || end.reason === 'syntax';
    // The memory of an instance that has ended is kept until the thread collects its garbage.
    if (interpreter.grown()) return false;
    return byItself && broken === undefined && calls.size === 0 && !runtime.hasPendingJob();
  }

  function settle(step: () => void): ScriptOutcome | undefined {
    try {
      step();
      const jobs = runtime.executePendingJobs();
      if (jobs.error !== undefined) return failedBy(jobs.error);
      if (checkMemory() !== undefined) return limitReached();
      const end = outcome();
      return checkMemory() === undefined ? end : limitReached();
    } catch (error) {
      // The interpreter itself gave up: its stack or its memory is that of the thread.
      if (checkMemory() !== undefined) return limitReached();
      if (error instanceof ScriptThrew) return error.end;
      return error instanceof RangeError
        ? { type: 'failed', reason: 'stack', message: 'the script calls itself too deeply' }
        : { type: 'failed', reason: 'memory', message: `the script needs more than ${limits.memoryBytes} bytes` };
    }
  }

  function limitReached(): ScriptOutcome {
    return { type: 'failed', ...(broken ?? { reason: 'error', message: 'the script failed' }) };
  }

  function outcome(): ScriptOutcome | undefined {
    if (result === undefined) return undefined;
    const state = context.getPromiseState(result);
    if (state.type === 'rejected') return failedBy(state.error);
    if (state.type === 'pending')
      return calls.size > 0
        ? undefined
        : { type: 'failed', reason: 'stuck', message: 'the script waits for what never comes' };
    if (context.typeof(state.value) !== 'string') return { type: 'done', json: undefined };
    if (lengthOf(state.value) <= limits.valueLength) return { type: 'done', json: context.getString(state.value) };
    const message = `the value of the script is larger than ${limits.valueLength} characters`;
    return { type: 'failed', reason: 'size', message };
  }

  /** The function that makes the value of the script from what was evaluated. */
  function prepare(): QuickJSHandle {
    const log = context.newFunction('log', (level, text) => {
      if (logLength > limits.logLength) return;
      const line = { level: context.getString(level) as LogLine['level'], text: bounded(text) };
      post({ type: 'log', line });
    });
    const call = context.newFunction('call', (name, json) => {
      if (broken !== undefined) return context.undefined;
      if (++callCount > limits.hostCalls)
        broken = { reason: 'calls', message: `the script makes more than ${limits.hostCalls} calls` };
      else if (calls.size >= MAX_CALLS_AT_ONCE)
        broken = { reason: 'calls', message: `the script makes more than ${MAX_CALLS_AT_ONCE} calls at once` };
      else if (lengthOf(json) > limits.valueLength)
        broken = { reason: 'size', message: `a call is given more than ${limits.valueLength} characters` };
      if (broken !== undefined) throw new Error(broken.message);
      const deferred = context.newPromise();
      calls.set(callCount, deferred);
      post({ type: 'call', call: callCount, name: context.getString(name), json: context.getString(json) });
      return deferred.handle;
    });
    const use = context.newFunction('use', (number) => void used.add(context.getNumber(number)));
    const prelude = unwrap(context.evalCode(PRELUDE, 'sandbox.js'));
    const given = [script.argumentsJson, script.environmentJson, JSON.stringify(script.hostCalls)].map((text) =>
      textOf(text),
    );
    return unwrap(context.callFunction(prelude, context.undefined, log, call, use, ...given));
  }

  /** A promise of `{value}`. */
  function evaluate(): QuickJSHandle {
    const asScript = context.evalCode(script.code, 'script.js', SCRIPT_FLAGS);
    if (asScript.error === undefined) return asScript.value;
    const { name, message } = describe(asScript.error);
    // `return` is what makes a function of it; nothing of the script has run yet.
    if (name !== 'SyntaxError' || !message.includes('return not in a function'))
      throw new ScriptThrew(failedBy(asScript.error));
    const asBody = context.evalCode(`(async () => {${script.code}\n})()`, 'script.js', SCRIPT_FLAGS);
    return unwrap(asBody);
  }

  function unwrap(evaluated: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (evaluated.error !== undefined) throw new ScriptThrew(failedBy(evaluated.error));
    return evaluated.value;
  }

  function failedBy(error: QuickJSHandle): ScriptOutcome {
    if (checkMemory() !== undefined) return limitReached();
    const { name, message, line } = describe(error);
    // What was thrown may have getters.
    if (checkMemory() !== undefined) return limitReached();
    if (name === 'InternalError' && message === 'out of memory')
      return { type: 'failed', reason: 'memory', message: `the script needs more than ${limits.memoryBytes} bytes` };
    if (name === 'InternalError' && message === 'stack overflow')
      return { type: 'failed', reason: 'stack', message: 'the script calls itself too deeply' };
    const text = `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`;
    return { type: 'failed', reason: name === 'SyntaxError' ? 'syntax' : 'error', message: text };
  }

  /** Properties of what was thrown; a getter among them runs under the same limits. */
  function describe(error: QuickJSHandle): { name: string; message: string; line?: string } {
    if (context.typeof(error) !== 'object') return { name: 'thrown', message: bounded(error) };
    using name = context.getProp(error, 'name');
    using message = context.getProp(error, 'message');
    using stack = context.getProp(error, 'stack');
    const where =
      context.typeof(stack) === 'string' ? /script\.js:(?<line>\d+)/.exec(bounded(stack))?.groups : undefined;
    return {
      name: context.typeof(name) === 'string' ? bounded(name) : 'Error',
      message: context.typeof(message) === 'string' ? bounded(message) : 'thrown',
      ...(where?.line === undefined ? {} : { line: where.line }),
    };
  }

  /** Text of a script that is shown to people. */
  function bounded(text: QuickJSHandle): string {
    if (context.typeof(text) === 'string' && lengthOf(text) > limits.logLength) return '[too long to be shown]';
    const shown = context.getString(text).slice(0, Math.max(0, limits.logLength - logLength));
    logLength += shown.length + 1;
    return shown;
  }

  function lengthOf(text: QuickJSHandle): number {
    using length = context.getProp(text, 'length');
    return context.getNumber(length);
  }
}

class ScriptThrew extends Error {
  readonly end: ScriptOutcome;
  constructor(end: ScriptOutcome) {
    super('the script ended');
    this.end = end;
  }
}
