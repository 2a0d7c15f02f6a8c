import type { JsonValue } from '#api/executions/json-value.ts';
import { type HostCalls, type Sandbox, SandboxFailure } from '#api/executions/sandbox/port.ts';
import { DEFAULT_ENTRY } from '../agent-config.ts';
import { RuntimeFailure, type RuntimeOutcome, type RuntimeRun } from './runtime.ts';
import { type Tool, ToolFailure } from './tool.ts';

/**
 * Runs the script of the workspace in the sandbox. It sees `input`, `metadata` and the tools. Its last value is the
 * output.
 */
export async function runScriptAgent(sandbox: Sandbox, run: RuntimeRun): Promise<RuntimeOutcome> {
  const { config, limits, files, trace, issue, signal } = run;
  const entry = config.entry ?? DEFAULT_ENTRY;
  const source = await files.read('workspace', entry).catch((error: unknown) => {
    if (error instanceof ToolFailure) throw new RuntimeFailure('configuration', `${entry}: ${error.message}`);
    throw error;
  });
  const ending = new AbortController();
  let fatal: { readonly error: unknown } | undefined;
  const hostCall = async (tool: Tool, given: JsonValue, ended: AbortSignal) => {
    try {
      return await tool.call(given, ended);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      // An internal failure must not be visible to the script, which could catch it.
      fatal ??= { error };
      ending.abort();
      throw new Error('the run ends');
    }
  };
  const hostCalls: HostCalls = Object.fromEntries(
    run.tools.map((tool) => [
      tool.name,
      ([given = {}]: readonly JsonValue[], ended: AbortSignal) => hostCall(tool, given, ended),
    ]),
  );
  try {
    const { output, logs } = await sandbox.run(
      {
        code: source.bytes.toString(),
        account: run.account,
        arguments: { input: run.input, metadata: run.metadata },
        hostCalls,
        onLog({ level, text }) {
          trace.add('log', { level, text });
          run.say({ level, text: trace.redact(text) });
        },
        limits: {
          timeMs: limits.computeMs,
          wallMs: limits.timeMs,
          memoryBytes: limits.memoryMb * 2 ** 20,
          hostCalls: limits.toolCalls,
        },
      },
      AbortSignal.any([signal, ending.signal]),
    );
    if (fatal !== undefined) throw fatal.error;
    for (const { level, text } of logs)
      if (level === 'warn' || level === 'error') issue(`${level}: ${trace.redact(text)}`);
    if (output === undefined) issue(`${entry} has no value: its last expression is the output`);
    return { output: output ?? null, model: null, cost: {} };
  } catch (error) {
    if (fatal !== undefined) throw fatal.error;
    if (!(error instanceof SandboxFailure) || error.reason === 'aborted') throw error;
    const code = error.reason === 'syntax' || error.reason === 'error' ? 'script' : 'limit';
    throw new RuntimeFailure(code, trace.redact(`${entry}: ${error.message}`), {}, { cause: error });
  }
}
