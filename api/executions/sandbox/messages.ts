import type { LogLine, SandboxFailureReason, ScriptLimits } from './port.ts';

/**
 * Messages between the process and a thread of the sandbox. Values are JSON text: only strings cross the boundary of a
 * script. Every message of a run has the id of the run, a random UUID that scripts never see. Both sides ignore
 * messages of other runs.
 */

export type ToThread =
  /** First message to a thread: the interpreter module, compiled once per process. */
  | { readonly type: 'module'; readonly module: object }
  | ScriptStart
  | ({ readonly run: string; readonly call: number } & (
      | { readonly type: 'answer'; readonly json: string | undefined }
      | { readonly type: 'refusal'; readonly message: string }
    ));

export interface ScriptStart {
  readonly type: 'run';
  readonly run: string;
  readonly code: string;
  /** JSON object. */
  readonly argumentsJson: string;
  /** JSON object. */
  readonly environmentJson: string;
  /** JSON object: `argv`, and `stdin` (a string or null). */
  readonly inputJson: string;
  readonly hostCalls: readonly string[];
  readonly limits: ScriptLimits;
}

export type FromThread = { readonly run: string } & ScriptMessage;

export type ScriptMessage =
  | { readonly type: 'log'; readonly line: LogLine }
  | { readonly type: 'call'; readonly call: number; readonly name: string; readonly json: string }
  /** The script computes nothing until a host call returns. */
  | { readonly type: 'waiting' }
  | ScriptEnd;

/** Last message of a run. `seen`: numbers of the rejected calls whose promise the script used. */
export type ScriptEnd = { readonly clean: boolean; readonly seen: readonly number[] } & ScriptOutcome;

export type ScriptOutcome = { readonly type: 'done'; readonly json: string | undefined } | ScriptFailed;

export interface ScriptFailed {
  readonly type: 'failed';
  readonly reason: SandboxFailureReason;
  readonly message: string;
}
