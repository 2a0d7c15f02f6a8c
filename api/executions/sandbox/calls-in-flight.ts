import type { JsonValue } from '../json-value.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { HostCalls } from './port.ts';

type Call = Extract<FromThread, { type: 'call' }>;
type Answer = Extract<ToThread, { type: 'answer' | 'refusal' }>;

/** A call whose failure the script did not see. `failure`: the message it rejected with; undefined: it has not ended, its effect is unknown. */
export interface UnseenFailure {
  readonly name: string;
  readonly failure: string | undefined;
}

/** The host calls of one run, from the message of the script to their end. */
export interface CallsInFlight {
  /** Begins a call; its answer goes to `send` unless the script has ended by then. False for a number out of order: nothing was begun. */
  begin(call: Call): boolean;
  /** From now on no call begins and no answer is sent. Resolves when every call has ended. */
  drain(): Promise<void>;
  /** Aborts the signal of all calls. */
  abort(): void;
  /** `seen`: numbers of the refused calls whose promise the script used; undefined when that is not known. */
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
