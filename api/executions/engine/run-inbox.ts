import type { CloudEvent, EngineEvent } from './port.ts';

/** An event for the interpreter, and the signal that is noted when the event has been delivered. */
export interface Incoming {
  readonly event: EngineEvent;
  readonly signal?: number;
}

/** Maximum events of one call: enough to spread the cost of reading and writing the state. */
const MAX_TOGETHER = 50;

/** Events of a run that the interpreter has not received yet, in their order. Owned by `createRun`, which is the only one that takes events out. */
export interface RunInbox {
  push(incoming: Incoming): void;
  /** Takes out the oldest event. If it is the outcome of a task, also takes out the outcomes that directly follow it. Empty when the inbox is empty. */
  next(): readonly Incoming[];
  /** Takes out all outcomes of tasks, and drops everything else. */
  outcomes(): readonly Incoming[];
  /** Puts events back to the front. */
  putBack(incoming: readonly Incoming[]): void;
  isEmpty(): boolean;
  has(type: EngineEvent['type']): boolean;
  /** Resolves after the next `push` or `wake`, or when `ended` aborts. */
  wait(): Promise<void>;
  /** Ends a `wait`, because something else than the inbox has changed. */
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

/** True for an event that needs nothing but the interpreter: timers may have ended since, and signals are noted one by one. */
function isOutcome({ event: { type }, signal }: Incoming): boolean {
  return signal === undefined && (type === 'task-completed' || type === 'task-failed');
}

/** The event of a wait that received a CloudEvent. */
export function received(wait: string, event: CloudEvent): EngineEvent {
  return { type: 'event-received', wait, events: [event], at: now() };
}

/** The time of an event, ISO 8601. */
export function now(): string {
  return new Date().toISOString();
}
