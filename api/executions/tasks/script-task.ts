import type { ExternalTask } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import { type Sandbox, SandboxFailure, type SandboxFailureReason } from '../sandbox/port.ts';
import { type FailureKind, taskFailure } from './failures.ts';
import type { TaskContext } from './port.ts';

type ScriptTask = Extract<ExternalTask, { kind: 'script' }>;

/** `busy`, `crashed` and `aborted` are no faults of the script: those steps are done again. */
const FAILURES: Readonly<Partial<Record<SandboxFailureReason, FailureKind>>> = {
  syntax: 'configuration',
  error: 'runtime',
  memory: 'runtime',
  stack: 'runtime',
  size: 'runtime',
  calls: 'runtime',
  stuck: 'runtime',
  time: 'timeout',
};

/** Runs a script. Its output is its value; that of one without a value is what it wrote, as the workflow language has it for standard output. */
export function createScriptTask({ sandbox }: { readonly sandbox: Sandbox }) {
  return async (task: ScriptTask, context: TaskContext): Promise<JsonValue> => {
    try {
      const { output, logs } = await sandbox.run(
        { code: task.code, arguments: task.arguments, environment: task.environment },
        context.signal,
      );
      if (output !== undefined) return output;
      const written = logs.filter(({ level }) => level === 'info').map(({ text }) => text);
      return written.length === 0 ? null : written.join('\n');
    } catch (error) {
      context.signal.throwIfAborted();
      const kind = error instanceof SandboxFailure ? FAILURES[error.reason] : undefined;
      if (kind === undefined) throw error;
      throw taskFailure(kind, context.step, (error as SandboxFailure).message);
    }
  };
}
