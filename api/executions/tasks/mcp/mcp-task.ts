import { z } from 'zod';
import type { McpTask } from '../../engine/contract/call-task.ts';
import { TaskFailure } from '../../engine/contract/task-failure.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { SendHttp } from '../http/http-exchange.ts';
import type { TaskContext } from '../port.ts';
import type { ShellTaskConfig } from '../process/shell-task.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { inScope, type McpScope, type McpSession, openOverHttp, openProgram } from './mcp-sessions.ts';
import { SessionEnded, SessionLost, type SessionPool } from './session-pool.ts';

const ANY_RESULT = z.looseObject({});
const MAX_DETAIL = 500;
const LOST = 404;

/**
 * Calls a method of an MCP server with the SDK of the protocol. The tasks of an execution share the session with a
 * server. HTTP requests use the code of `call: http`. A program has the rights of a shell command.
 */
export function createMcpTask(
  {
    send,
    resolveSecrets,
    sessions,
    programs,
  }: {
    readonly send: SendHttp;
    readonly resolveSecrets: ResolveSecrets;
    readonly sessions: SessionPool<McpSession>;
    readonly programs: SessionPool<McpSession>;
  },
  { allowed }: Pick<ShellTaskConfig, 'allowed'>,
) {
  return async (task: McpTask, context: TaskContext): Promise<JsonValue> => {
    const within = withTimeout(task, context);
    try {
      return await (task.program === undefined ? overHttp(task, within) : overProgram(task, within));
    } catch (error) {
      context.signal.throwIfAborted();
      if (!within.signal.aborted) throw error;
      throw taskFailure('timeout', context.step, `${task.method} took longer than ${task.timeoutMs} ms`);
    }
  };

  function overHttp(task: McpTask, context: TaskContext): Promise<JsonValue> {
    const scope: McpScope = { task, context, failures: [] };
    return call(scope, () => openOverHttp(scope, send));
  }

  async function overProgram(task: McpTask, context: TaskContext): Promise<JsonValue> {
    if (!allowed)
      throw taskFailure(
        'authorization',
        context.step,
        'the operator does not allow programs of the worker (TRAPLINE_SHELL_TASKS)',
      );
    const secrets = await secretsOf([task.program?.environment, task.parameters], context, resolveSecrets);
    secrets.requireUnbound('a program of the worker');
    const filled = { ...task, parameters: secrets.fill(task.parameters) };
    const scope: McpScope = { task: filled, context, failures: [] };
    let known: readonly string[] = [];
    const result = await call(
      scope,
      () => openProgram(scope, secrets),
      (session) => {
        known = session.secrets;
      },
    );
    // A secret may have changed since the program started, so old and new values are redacted.
    return createRedaction([...known, ...secrets.used()]).json(result);
  }

  async function call(
    scope: McpScope,
    open: () => Promise<McpSession>,
    onSession: (session: McpSession) => void = () => {},
  ): Promise<JsonValue> {
    const { task, context } = scope;
    const pool = task.program === undefined ? sessions : programs;
    const sdk = await import('@modelcontextprotocol/client');
    try {
      return await pool.use(context.executionId, keyOf(task), open, async (session) => {
        onSession(session);
        try {
          return await inScope(scope, () => ask(session, scope));
        } catch (error) {
          if (error instanceof sdk.SdkHttpError && error.status === LOST && session.hasId())
            throw new SessionLost('the server does not know the session', { cause: error });
          // A program could continue to process a cancelled call indefinitely.
          if (!session.isOpen() || (context.signal.aborted && task.program !== undefined))
            throw new SessionEnded('the session is over', { cause: error });
          throw error;
        }
      });
    } catch (error) {
      context.signal.throwIfAborted();
      // The failures of requests are more specific than the error of the SDK.
      const [failure] = scope.failures;
      if (failure !== undefined) throw failure;
      if (error instanceof TaskFailure) throw error;
      if (error instanceof sdk.ProtocolError)
        throw taskFailure('runtime', context.step, `${task.method}: ${shortened(error.message)} (${error.code})`);
      const status = error instanceof sdk.SdkHttpError ? { status: error.status } : {};
      const why = shortened(error instanceof Error ? error.message : String(error));
      throw taskFailure('communication', context.step, `${task.method}: ${why}`, status);
    }
  }
}

function withTimeout({ timeoutMs }: McpTask, context: TaskContext): TaskContext {
  if (timeoutMs === undefined) return context;
  return { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]) };
}

/**
 * Returns the key of a session: equal for tasks that use the same server in the same way. Secrets are references here.
 */
const keyOf = ({ server, program, headers, protocolVersion, client }: McpTask): string =>
  JSON.stringify([server, program, headers, protocolVersion, client]);

async function ask({ client }: McpSession, { task, context }: McpScope): Promise<JsonValue> {
  const { method, parameters } = task;
  const params = parameters as Record<string, unknown>;
  const result = await client.request({ method, params }, ANY_RESULT, { signal: context.signal });
  if (method === 'tools/call' && result.isError === true)
    throw taskFailure(
      'runtime',
      context.step,
      `the tool reported an error: ${shortened(JSON.stringify(result.content))}`,
    );
  return result as JsonValue;
}

const shortened = (text: string): string => (text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)} …` : text);
