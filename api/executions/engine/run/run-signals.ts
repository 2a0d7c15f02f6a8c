import type { PendingSignal } from '../../store/signals.ts';
import type { CloudEvent } from '../contract/cloud-event.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import { type Incoming, now, received } from './run-inbox.ts';
import type { ChildResult, RunDeps } from './run-port.ts';

/** Database signals of a run: events for its waits, and results of its children. */
export interface RunSignals {
  /** Number of signals whose payloads are being read. The run cannot be parked before it is 0. */
  readonly reading: number;
  /** Reads signals and appends their events to the inbox. Ignores signals already delivered. */
  deliver(signals: readonly PendingSignal[]): void;
}

export interface RunSignalsDeps extends Pick<RunDeps, 'childResult'> {
  readonly onChildEnded: (step: StepPath, attempt: number) => void;
  readonly onEvent: (incoming: Incoming) => void;
  /** Called when a signal was read, or reading failed. */
  readonly onRead: () => void;
}

export function createRunSignals({ childResult, onChildEnded, onEvent, onRead }: RunSignalsDeps): RunSignals {
  const seen = new Set<number>();
  let reading = 0;

  async function deliverOne(signal: PendingSignal): Promise<void> {
    if (signal.kind === 'event') {
      onEvent({ event: received(signal.target, signal.payload as unknown as CloudEvent), signal: signal.id });
      return;
    }
    const result = await childResult(signal);
    onChildEnded(result.step, result.attempt);
    onEvent({ event: childEvent(result), signal: signal.id });
  }

  return {
    get reading() {
      return reading;
    },
    deliver(signals) {
      for (const signal of signals) {
        if (seen.has(signal.id)) continue;
        seen.add(signal.id);
        reading += 1;
        deliverOne(signal)
          // Reading failed: the signal stays pending in the database and is delivered again.
          .catch(() => seen.delete(signal.id))
          .finally(() => {
            reading -= 1;
            onRead();
          });
      }
    },
  };
}

function childEvent(result: ChildResult): Incoming['event'] {
  const { step, attempt } = result;
  const at = now();
  return 'error' in result
    ? { type: 'task-failed', step, attempt, error: result.error, at }
    : { type: 'task-completed', step, attempt, output: result.output, at };
}
