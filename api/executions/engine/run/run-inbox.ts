import type { CloudEvent } from '../contract/cloud-event.ts';
import type { EngineEvent } from '../contract/port.ts';

/** An event for the interpreter, and the signal to acknowledge when it is delivered. */
export interface Incoming {
  readonly event: EngineEvent;
  readonly signal?: number;
}

/** Maximum number of events per call. It is enough to amortise the cost of reading and writing the state. */
const MAX_TOGETHER = 50;

/** Queue of events that the interpreter has not received yet. Owned by `createRun`, the only consumer. */
export interface RunInbox {
  push(incoming: Incoming): void;
  /**
   * Removes and returns the oldest event. If it is the outcome of a task, also returns the outcomes that directly
   * follow it. Returns an empty list if the inbox is empty.
   */
  next(): readonly Incoming[];
  /** Removes and returns all outcomes of tasks. Drops all other events. */
  outcomes(): readonly Incoming[];
  /** Puts events back at the front. */
  putBack(incoming: readonly Incoming[]): void;
  isEmpty(): boolean;
  has(type: EngineEvent['type']): boolean;
  /** Resolves after the next `push` or `wake`, or when `ended` aborts. */
  wait(): Promise<void>;
  /** Ends a `wait` for a reason other than a new event. */
  wake(): void;
}

export function createRunInbox(ended: AbortSignal): RunInbox {
  const events: Incoming[] = [];
  let waiting: (() => void) | undefined;
  const wake = () => waiting?.();
  ended.addEventListener('abort', wake, { once: true });

  return {
    push(incoming) {
      events.push(incoming);
      wake();
    },
    next() {
      const others = events.findIndex((incoming) => !isOutcome(incoming));
      return events.splice(0, Math.max(1, Math.min(others === -1 ? events.length : others, MAX_TOGETHER)));
    },
    outcomes: () => events.splice(0).filter(isOutcome),
    putBack: (incoming) => void events.unshift(...incoming),
    isEmpty: () => events.length === 0,
    has: (type) => events.some(({ event }) => event.type === type),
    async wait() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = resolve;
      if (ended.aborted) resolve();
      await promise;
      waiting = undefined;
    },
    wake,
  };
}

/**
 * True for an event that can be batched. Timers cannot, because they may have ended in the interim. Signals cannot,
 * because each is acknowledged separately.
 */
function isOutcome({ event: { type }, signal }: Incoming): boolean {
  return signal === undefined && (type === 'task-completed' || type === 'task-failed');
}

/** Returns the interpreter event for a CloudEvent that a wait received. */
export function received(wait: string, event: CloudEvent): EngineEvent {
  return { type: 'event-received', wait, events: [event], at: now() };
}

/** Current time, ISO 8601. */
export function now(): string {
  return new Date().toISOString();
}
