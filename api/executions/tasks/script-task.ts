import { accountOf } from '../engine/account.ts';
import type { ExternalTask } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import { type Sandbox, SandboxFailure, type SandboxFailureReason } from '../sandbox/port.ts';
import type { ConsoleLines } from './console-lines.ts';
import type { Documents } from './documents/documents.ts';
import { type FailureKind, taskFailure } from './failures.ts';
import { fileCalls } from './file-calls.ts';
import type { TaskContext } from './port.ts';
import type { TaskFiles } from './task-files.ts';

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

/** Runs a script; it reads the files its run was given, and what it says is in the log of the run at once. Its output is its value; that of one without a value is what it wrote, as the workflow language has it for standard output. */
export function createScriptTask({
  sandbox,
  files,
  lines,
  documents,
}: {
  readonly sandbox: Sandbox;
  readonly files: TaskFiles;
  readonly lines: ConsoleLines;
  readonly documents: Pick<Documents, 'text'>;
}) {
  return async (task: ScriptTask, context: TaskContext): Promise<JsonValue> => {
    const code = task.source === undefined ? task.code : await documents.text(task.source, context);
    let said = false;
    try {
      const { output, logs } = await sandbox.run(
        {
          code,
          account: accountOf(context.ownerId),
          arguments: task.arguments,
          environment: task.environment,
          hostCalls: fileCalls(files, context.executionId),
          onLog(line) {
            said = true;
            lines.add(context, line);
          },
        },
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
    } finally {
      // In the trace a step ends after what it said.
      if (said) await lines.flush();
    }
  };
}
