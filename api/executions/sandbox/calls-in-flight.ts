import type { JsonValue } from '../json-value.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { HostCalls } from './port.ts';

type Call = Extract<FromThread, { type: 'call' }>;
type Answer = Extract<ToThread, { type: 'answer' | 'refusal' }>;

/**
 * A failed call that the script did not handle. `failure`: its error message; undefined if the call has not ended, so
 * its effect is unknown.
 */
export interface UnseenFailure {
  readonly name: string;
  readonly failure: string | undefined;
}

/** The host calls of one run, from the message of the script to their end. */
export interface CallsInFlight {
  /**
   * Begins a call. Sends its result to the thread unless the script has ended by then. Returns false, and begins
   * nothing, if the number is out of order.
   */
  begin(call: Call): boolean;
  /** Rejects further calls and sends no more results. Resolves when every call has ended. */
  drain(): Promise<void>;
  /** Aborts the signal of all calls. */
  abort(): void;
  /**
   * Returns the unhandled failures. `seen`: numbers of the rejected calls whose promise the script used; undefined if
   * unknown.
   */
  unseenFailures(seen: readonly number[] | undefined): UnseenFailure[];
}

export function createCallsInFlight(hostCalls: HostCalls, send: (answer: Answer) => void): CallsInFlight {
  const aborting = new AbortController();
  const pending = new Map<number, string>();
  const refused = new Map<number, UnseenFailure>();
  const late: UnseenFailure[] = [];
  const ended = Promise.withResolvers<void>();
  let lastCall = 0;
  let draining = false;

  async function perform({ name, json }: Call): Promise<string | undefined> {
    const hostCall = Object.hasOwn(hostCalls, name) ? hostCalls[name] : undefined;
    if (hostCall === undefined) throw new Error(`there is no tool ${name}`);
    const value = await hostCall(JSON.parse(json) as JsonValue[], aborting.signal);
    return value === undefined ? undefined : JSON.stringify(value);
  }

  async function performAndAnswer(message: Call): Promise<void> {
    const { run, call, name } = message;
    try {
      const json = await perform(message);
      if (!draining) send({ type: 'answer', run, call, json });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (draining) late.push({ name, failure });
      else {
        refused.set(call, { name, failure });
        send({ type: 'refusal', run, call, message: failure });
      }
    }
    pending.delete(call);
    if (draining && pending.size === 0) ended.resolve();
  }

  return {
    begin(message) {
      if (draining || message.call !== lastCall + 1) return false;
      lastCall = message.call;
      pending.set(message.call, message.name);
      void performAndAnswer(message);
      return true;
    },
    async drain() {
      draining = true;
      if (pending.size > 0) await ended.promise;
    },
    abort: () => aborting.abort(),
    unseenFailures(seen) {
      const unseen = seen === undefined ? [] : [...refused].filter(([call]) => !seen.includes(call));
      return [
        ...unseen.map(([, failure]) => failure),
        ...late,
        ...Array.from(pending.values(), (name) => ({ name, failure: undefined })),
      ];
    },
  };
}
