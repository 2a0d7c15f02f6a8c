import type { LogLine, SandboxFailureReason, ScriptLimits } from './port.ts';

/** What is said between the process and a thread of the sandbox. Values travel as JSON text: nothing but text crosses the border of a script. */

export type ToThread =
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

export type FromThread =
  | { readonly type: 'log'; readonly line: LogLine }
  | { readonly type: 'call'; readonly call: number; readonly name: string; readonly json: string }
  /** Computes no more until an answer comes. */
  | { readonly type: 'waiting' }
  | ScriptEnd;

/** After it nothing more is said of the script. */
export type ScriptEnd =
  | { readonly type: 'done'; readonly json: string | undefined }
  | { readonly type: 'failed'; readonly reason: SandboxFailureReason; readonly message: string };
