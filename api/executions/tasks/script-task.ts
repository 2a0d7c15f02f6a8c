import { accountOf } from '../engine/account.ts';
import type { ProcessReturn, ScriptTask } from '../engine/contract/process-task.ts';
import type { JsonValue } from '../json-value.ts';
import {
  type LogLine,
  type Sandbox,
  SandboxFailure,
  type SandboxFailureReason,
  type SandboxResult,
} from '../sandbox/port.ts';
import type { ConsoleLines } from './console-lines.ts';
import type { Documents } from './documents/documents.ts';
import { type FailureKind, taskFailure } from './failures.ts';
import { fileCalls } from './file-calls.ts';
import type { TaskContext } from './port.ts';
import type { TaskFiles } from './task-files.ts';

/** `busy`, `crashed` and `aborted` are not errors of the script: these steps are repeated. */
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

/** Failures that correspond to a process with a non-zero exit code. */
const ENDS = new Set<SandboxFailureReason>(['syntax', 'error']);

/** Runs a script. It can read the files of the run, and its log lines appear in the log immediately. */
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
    const asked = task.return ?? 'stdout';
    let said = false;
    try {
      const result = await sandbox.run(
        {
          code,
          account: accountOf(context.ownerId),
          arguments: task.arguments,
          environment: task.environment,
          argv: task.argv,
          stdin: task.stdin,
          hostCalls: fileCalls(files, context.executionId),
          onLog(line) {
            said = true;
            lines.add(context, line);
          },
        },
        context.signal,
      );
      return outputOf(result, asked);
    } catch (error) {
      context.signal.throwIfAborted();
      const { reason, message, logs } = error instanceof SandboxFailure ? error : NO_FAILURE;
      if (reason !== undefined && ENDS.has(reason) && (asked === 'code' || asked === 'all'))
        return asked === 'code' ? 1 : { code: 1, stdout: written(logs, OUT), stderr: written(logs, ERR, message) };
      const kind = error instanceof SandboxFailure ? FAILURES[error.reason] : undefined;
      if (kind === undefined) throw error;
      throw taskFailure(kind, context.step, (error as SandboxFailure).message);
    } finally {
      // Written first, so in the trace, a step ends after its log lines.
      if (said) await lines.flush();
    }
  };
}

const NO_FAILURE: Partial<SandboxFailure> & { readonly logs: readonly LogLine[] } = { logs: [] };
const OUT: readonly LogLine['level'][] = ['info'];
const ERR: readonly LogLine['level'][] = ['warn', 'error'];

function written(logs: readonly LogLine[], levels: readonly LogLine['level'][], last?: string): string {
  const lines = logs.filter(({ level }) => levels.includes(level)).map(({ text }) => text);
  return [...lines, ...(last === undefined ? [] : [last])].join('\n');
}

/**
 * Returns the output of a script. Standard output is its value, or its log if it has no value. Standard error is the
 * output of `console.warn` and `console.error`.
 */
function outputOf({ output, logs }: SandboxResult, asked: ProcessReturn): JsonValue {
  const out = output ?? written(logs, OUT);
  switch (asked) {
    case 'code':
      return 0;
    case 'stderr':
      return written(logs, ERR);
    case 'all':
      return { code: 0, stdout: out, stderr: written(logs, ERR) };
    default:
      return output === undefined && !logs.some(({ level }) => OUT.includes(level)) ? null : out;
  }
}
