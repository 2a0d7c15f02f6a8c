import type { QuickJSContext, QuickJSDeferredPromise, QuickJSHandle } from 'quickjs-emscripten';
import type { LimitCheck } from './limit-check.ts';
import type { ScriptMessage, ScriptStart, ToThread } from './messages.ts';
import type { LogLine } from './port.ts';
import type { ScriptValues } from './script-values.ts';

export type Answer = Extract<ToThread, { type: 'answer' | 'refusal' }>;

const MAX_CALLS_AT_ONCE = 64;

/** The host functions of the prelude, and the pending calls. */
export interface HostFunctions {
  /**
   * Creates `log(level, text)`, `call(name, json)`, which returns a promise, and `use(call)`, which marks its promise
   * as used.
   */
  create(): readonly [log: QuickJSHandle, call: QuickJSHandle, use: QuickJSHandle];
  /** True while this call is pending. */
  isOpen(call: number): boolean;
  /** Number of pending calls. */
  openCalls(): number;
  /** Settles the promise of a call. */
  settle(answer: Answer): void;
  /** Returns the rejected calls whose promise the script awaited or attached a handler to. */
  seenRefusals(): number[];
}

interface HostFunctionsDeps {
  readonly context: QuickJSContext;
  readonly reached: LimitCheck;
  readonly values: ScriptValues;
  readonly limits: ScriptStart['limits'];
  readonly post: (message: ScriptMessage) => void;
}

export function createHostFunctions({ context, reached, values, limits, post }: HostFunctionsDeps): HostFunctions {
  const calls = new Map<number, QuickJSDeferredPromise>();
  const refused = new Set<number>();
  const used = new Set<number>();
  let callCount = 0;

  function create(): readonly [QuickJSHandle, QuickJSHandle, QuickJSHandle] {
    const log = context.newFunction('log', (level, text) => {
      if (values.isLogFull()) return;
      const line = { level: context.getString(level) as LogLine['level'], text: values.shown(text) };
      post({ type: 'log', line });
    });
    const call = context.newFunction('call', (name, json) => {
      if (reached.reached() !== undefined) return context.undefined;
      checkCall(json);
      const limit = reached.reached();
      if (limit !== undefined) throw new Error(limit.message);
      const deferred = context.newPromise();
      calls.set(callCount, deferred);
      post({ type: 'call', call: callCount, name: context.getString(name), json: context.getString(json) });
      return deferred.handle;
    });
    const use = context.newFunction('use', (number) => void used.add(context.getNumber(number)));
    return [log, call, use];
  }

  function checkCall(json: QuickJSHandle): void {
    if (++callCount > limits.hostCalls)
      reached.reach({ reason: 'calls', message: `the script makes more than ${limits.hostCalls} calls` });
    else if (calls.size >= MAX_CALLS_AT_ONCE)
      reached.reach({ reason: 'calls', message: `the script makes more than ${MAX_CALLS_AT_ONCE} concurrent calls` });
    else if (values.lengthOf(json) > limits.valueLength)
      reached.reach({
        reason: 'size',
        message: `the arguments of a call have more than ${limits.valueLength} characters`,
      });
  }

  return {
    create,
    isOpen: (number) => calls.has(number),
    openCalls: () => calls.size,
    settle(answer) {
      const deferred = calls.get(answer.call);
      if (deferred === undefined) return;
      calls.delete(answer.call);
      if (answer.type === 'refusal') {
        refused.add(answer.call);
        using error = context.newError(answer.message);
        deferred.reject(error);
      } else {
        using value = answer.json === undefined ? context.undefined.dup() : values.copyIn(answer.json);
        deferred.resolve(value);
      }
      deferred.dispose();
    },
    seenRefusals: () => [...refused].filter((number) => used.has(number)),
  };
}
