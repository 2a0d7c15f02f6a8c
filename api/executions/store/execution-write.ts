import { Buffer } from 'node:buffer';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { StepStatus } from '../engine/contract/port.ts';
import { keptBytes } from '../payloads/keep-payload.ts';
import type { ExecutionClaim } from './leases.ts';

/** The changes of one execution, in the format of the columns. JSON is text. */
export interface ExecutionWrite extends ExecutionClaim {
  /** `halted`: leaves its worker to be suspended, with steps that have not begun. */
  readonly status:
    | Extract<ExecutionStatus, 'running' | 'waiting' | 'finalizing' | 'completed' | 'failed' | 'rejected'>
    | 'halted';
  readonly state: string | null;
  readonly stateFile: string | null;
  readonly result: string | null;
  readonly resultFile: string | null;
  readonly error: string | null;
  readonly steps: readonly StepWrite[];
  /** New or changed timers. `fireAt` is ISO 8601. */
  readonly timers: readonly { readonly timer: string; readonly fireAt: string }[];
  readonly firedTimers: readonly string[];
  readonly endedTimers: readonly string[];
  readonly waits: readonly WaitWrite[];
  readonly endedWaits: readonly string[];
  /** Signals that were delivered to the interpreter, and whether it consumed them. */
  readonly signals: readonly { readonly signal: number; readonly consumed: boolean }[];
  /** Emitted CloudEvents. */
  readonly events: readonly {
    readonly source: string;
    readonly eventId: string;
    readonly type: string;
    readonly event: string;
    /** Id of the event that this event replies to, or null. */
    readonly repliesTo: string | null;
  }[];
}

export interface StepWrite {
  readonly step: string;
  readonly attempt: number;
  /** Logical times of its beginning and last change, unique within this write. */
  readonly begun: number;
  readonly changed: number;
  readonly name: string;
  readonly kind: string;
  readonly status: StepStatus;
  readonly input: string | null;
  readonly inputFile: string | null;
  readonly output: string | null;
  readonly outputFile: string | null;
  readonly error: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Duration in ms, for metrics only. Undefined if the step has not ended, or if another worker began it. */
  readonly ranMs?: number;
}

export interface WaitWrite {
  readonly wait: string;
  readonly step: string;
  readonly mode: 'all' | 'any' | 'one';
  readonly filters: string;
  readonly eventTypes: readonly string[];
  /** An `ApprovalPolicy`. If null, any matching event continues the wait. */
  readonly approval: string | null;
}

/**
 * Maximum stored size of a reply. A larger one is sent as an event, but is not available to the sender of the original
 * event.
 */
export const MAX_REPLY_BYTES = 256 * 1024;

/** True for a reply that is stored for the sender of the original event. */
export function isKeptReply({ event, repliesTo }: ExecutionWrite['events'][number]): boolean {
  return repliesTo !== null && Buffer.byteLength(event) <= MAX_REPLY_BYTES;
}

/**
 * Returns the bytes that a write adds to the stored size of the execution, for the quota of its owner. A step that is
 * written twice counts twice.
 */
export function writtenBytes({ result, resultFile, steps, events }: ExecutionWrite): number {
  return (
    keptBytes({ json: result, file: resultFile }) +
    events.reduce((sum, event) => sum + (isKeptReply(event) ? Buffer.byteLength(event.event) : 0), 0) +
    steps.reduce(
      (sum, { input, inputFile, output, outputFile }) =>
        sum + STEP_BYTES + keptBytes({ json: input, file: inputFile }, { json: output, file: outputFile }),
      0,
    )
  );
}

/** Approximate size of the row of a step without payloads. */
const STEP_BYTES = 256;
