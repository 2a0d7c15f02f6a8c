import type { OutboundConnect } from '#api/outbound/outbound-connect.ts';
import type { RunTask } from '../engine/contract/task-context.ts';
import type { EvaluateFor } from '../expressions/evaluate.ts';
import type { JsonValue } from '../json-value.ts';
import type { Sandbox } from '../sandbox/port.ts';
import { createA2aTask } from './a2a/a2a-task.ts';
import { createAsyncApiTask } from './asyncapi/asyncapi-task.ts';
import type { MessageBroker } from './asyncapi/port.ts';
import { createCatalogTask } from './catalog/catalog-task.ts';
import type { ConsoleLines } from './console-lines.ts';
import { createDetachedTasks } from './detached.ts';
import { createDocuments } from './documents/documents.ts';
import type { CallFunction } from './functions/port.ts';
import { createGrpcTask } from './grpc/grpc-task.ts';
import { createAccessTokens } from './http/access-tokens.ts';
import { createAuthorize } from './http/authorize.ts';
import { createHttpExchange, type HttpTaskConfig, type HttpTaskDeps } from './http/http-exchange.ts';
import { createHttpTask } from './http/http-task.ts';
import type { McpSession } from './mcp/mcp-sessions.ts';
import { createMcpTask } from './mcp/mcp-task.ts';
import { createSessionPool } from './mcp/session-pool.ts';
import { createOpenApiTask } from './openapi/openapi-task.ts';
import type { TaskContext } from './port.ts';
import { type ContainerTaskConfig, createContainerTask } from './process/container-task.ts';
import { createPythonTask } from './process/python-task.ts';
import { createShellTask, type ShellTaskConfig } from './process/shell-task.ts';
import { createScriptTask } from './script-task.ts';

export interface TaskRunnerDeps extends HttpTaskDeps {
  /** For protocols other than HTTP/1.1. */
  readonly outbound: OutboundConnect;
  readonly broker: MessageBroker;
  readonly sandbox: Sandbox;
  /** Functions of the detection service, see `createFunctions`. */
  readonly callFunction: CallFunction;
  readonly lines: ConsoleLines;
  readonly evaluate: EvaluateFor;
}

export interface TaskRunnerConfig {
  readonly http?: HttpTaskConfig;
  /** Shell commands and Python scripts. Default: refused. */
  readonly shell?: ShellTaskConfig;
  /** Containers. Default: refused. */
  readonly containers?: ContainerTaskConfig;
}

/** Maximum number of idle MCP sessions, including programs, per worker. */
const MAX_MCP_SESSIONS = 100;
const MAX_MCP_PROGRAMS = 10;

/** Runs the tasks of a worker. */
export interface TaskRunner {
  readonly runTask: RunTask;
  /** Call when the run of an execution on this worker is over: it waits, has ended or continues elsewhere. */
  endRun(executionId: string): void;
  /** Ends detached tasks. */
  close(): Promise<void>;
}

/**
 * Creates the runner of external tasks: HTTP calls, functions of the detection service, scripts. The engine itself runs
 * sub-workflows.
 */
export function createTaskRunner(deps: TaskRunnerDeps, config: TaskRunnerConfig = {}): TaskRunner {
  const tokens = createAccessTokens(deps);
  const authorize = createAuthorize({ ...deps, tokens });
  const send = createHttpExchange({ ...deps, tokens }, config.http);
  const http = createHttpTask(send);
  const documents = createDocuments({ http });
  const openApi = createOpenApiTask({ http, documents });
  const asyncApi = createAsyncApiTask({ ...deps, http, documents });
  const grpc = createGrpcTask({ ...deps, documents, authorize });
  const a2a = createA2aTask({ send, documents });
  const catalog = createCatalogTask({ documents });
  const script = createScriptTask({ ...deps, documents });
  const processes = config.shell ?? { allowed: false };
  const sessions = createSessionPool<McpSession>({ maxSessions: MAX_MCP_SESSIONS });
  const programs = createSessionPool<McpSession>({ maxSessions: MAX_MCP_PROGRAMS });
  const mcp = createMcpTask({ send, resolveSecrets: deps.resolveSecrets, sessions, programs }, processes);
  const python = createPythonTask({ documents }, processes);
  const shell = createShellTask(deps, processes);
  const container = createContainerTask(deps, config.containers ?? { socketPath: undefined });

  const detached = createDetachedTasks({ runTask: run, lines: deps.lines });
  return {
    runTask: (task, context) =>
      'detached' in task && task.detached === true ? detached.begin(task, context) : run(task, context),
    endRun(executionId) {
      sessions.end(executionId);
      programs.end(executionId);
    },
    close: async () => void (await Promise.all([detached, sessions, programs].map((each) => each.close()))),
  };

  async function run(task: Parameters<RunTask>[0], context: TaskContext): Promise<JsonValue> {
    context.signal.throwIfAborted();
    switch (task.kind) {
      case 'http': {
        const name = functionOf(task.endpoint);
        return name === undefined ? http(task, context) : deps.callFunction(name, task.body ?? {}, context);
      }
      case 'openapi':
        return openApi(task, context);
      case 'asyncapi':
        return asyncApi(task, context);
      case 'grpc':
        return grpc(task, context);
      case 'mcp':
        return mcp(task, context);
      case 'a2a':
        return a2a(task, context);
      case 'catalog':
        return catalog(task, context);
      case 'script':
        return script(task, context);
      case 'python':
        return python(task, context);
      case 'shell':
        return shell(task, context);
      case 'container':
        return container(task, context);
    }
  }
}

/** Parses `trapline:<name>`: see `built-in-functions.ts`. */
function functionOf(endpoint: string): string | undefined {
  return /^trapline:(?<name>[\w.-]+)$/.exec(endpoint)?.groups?.name;
}
