import type { LogLine, SandboxFailureReason, ScriptLimits } from './port.ts';

/**
 * Messages between the process and a thread of the sandbox. Values travel as JSON text: only text crosses the boundary of a script. Every message of a run
 * carries the id of the run, a random UUID that scripts never see; both sides act on messages of the current run only.
 */

export type ToThread =
  /** First message of a thread: the interpreter, compiled once for the process. */
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
  /** JSON object: `argv`, and `stdin`, a text or null. */
  readonly inputJson: string;
  readonly hostCalls: readonly string[];
  readonly limits: ScriptLimits;
}

export type FromThread = { readonly run: string } & ScriptMessage;

export type ScriptMessage =
  | { readonly type: 'log'; readonly line: LogLine }
  | { readonly type: 'call'; readonly call: number; readonly name: string; readonly json: string }
  /** Computes no more until an answer arrives. */
  | { readonly type: 'waiting' }
  | ScriptEnd;

/** The last message of a run. `seen`: numbers of the calls that were refused and whose promise the script used. */
export type ScriptEnd = { readonly clean: boolean; readonly seen: readonly number[] } & ScriptOutcome;

export type ScriptOutcome = { readonly type: 'done'; readonly json: string | undefined } | ScriptFailed;

export interface ScriptFailed {
  readonly type: 'failed';
  readonly reason: SandboxFailureReason;
  readonly message: string;
}
