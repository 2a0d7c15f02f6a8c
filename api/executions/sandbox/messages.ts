import type { LogLine, SandboxFailureReason, ScriptLimits } from './port.ts';

/**
 * Messages between the process and a thread of the sandbox. Values travel as JSON text: nothing but text crosses the boundary of a script.
 * Every message carries the number of its run. Both sides discard messages of another run.
 */

/** Numbers of runs are never repeated within a thread. */
interface OfRun {
  readonly run: number;
}

export type ToThread = OfRun & ThreadCommand;
export type ThreadCommand =
  | {
      readonly type: 'run';
      readonly code: string;
      /** JSON object. */
      readonly argumentsJson: string;
      /** JSON object. */
      readonly environmentJson: string;
      readonly hostCalls: readonly string[];
      readonly limits: ScriptLimits;
    }
  | { readonly type: 'answer'; readonly call: number; readonly json: string | undefined }
  | { readonly type: 'refusal'; readonly call: number; readonly message: string };

export type FromThread = OfRun & ThreadReport;
export type ThreadReport =
  | { readonly type: 'log'; readonly line: LogLine }
  | { readonly type: 'call'; readonly call: number; readonly name: string; readonly json: string }
  /** The script computes nothing until an answer arrives. */
  | { readonly type: 'waiting' }
  | ScriptEnd;

/** The last message of a run. */
export type ScriptEnd =
  /** `unanswered`: numbers of the calls whose answers the script did not take. */
  | { readonly type: 'done'; readonly json: string | undefined; readonly unanswered: readonly number[] }
  | { readonly type: 'failed'; readonly reason: SandboxFailureReason; readonly message: string };
