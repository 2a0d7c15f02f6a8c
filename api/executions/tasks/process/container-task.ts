import type { ExternalTask } from '../../engine/port.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { uuidOf } from '../uuid-of.ts';
import { type ContainerEngine, createContainerEngine, EngineRefusal, splitLog } from './container-engine.ts';
import { processOutput } from './process-output.ts';
import { splitWords } from './split-words.ts';

type ContainerTask = Extract<ExternalTask, { kind: 'container' }>;

export interface ContainerTaskConfig {
  /** Socket of the engine. Undefined: containers are refused. */
  readonly socketPath: string | undefined;
  /** Network of the containers. Default: none. */
  readonly network?: string;
  /** Default 30 minutes; shorter times are the definition's `timeout`. */
  readonly timeoutMs?: number;
}

const LABEL = 'org.trapline.execution';
const MEMORY_BYTES = 512 * 2 ** 20;
const MAX_PROCESSES = 256;
const CLEANUP_MS = 10_000;
const MAX_NAME = 128;

/** Runs a container and waits for it. After a crash of this process the same container is found by its name and waited for. */
export function createContainerTask(
  { resolveSecrets }: { readonly resolveSecrets: ResolveSecrets },
  { socketPath, network = 'none', timeoutMs = 1_800_000 }: ContainerTaskConfig,
) {
  return async (task: ContainerTask, context: TaskContext): Promise<JsonValue> => {
    const { step, signal } = context;
    if (socketPath === undefined)
      throw taskFailure(
        'authorization',
        step,
        'the operator has not named a container engine (TRAPLINE_CONTAINER_ENGINE)',
      );
    const engine = createContainerEngine(socketPath);
    const secrets = await secretsOf([task.environment], context, resolveSecrets);
    secrets.requireUnbound('a container');
    const redaction = createRedaction(secrets.used());
    const timeout = AbortSignal.timeout(timeoutMs);
    const within = AbortSignal.any([signal, timeout]);
    const environment = Object.entries(task.environment).map(([name, value]) => `${name}=${secrets.text(value)}`);
    let id: string | undefined;
    try {
      id = await created(engine, task, { environment, network, context, signal: within });
      // The container of an earlier try may run, or have ended: it is not run again.
      if (await isNew(engine, id, within)) await engine.json('POST', `/containers/${id}/start`, undefined, within);
      const ended = (await engine.json('POST', `/containers/${id}/wait`, undefined, within)) as { StatusCode?: number };
      const log = splitLog(await engine.bytes('GET', `/containers/${id}/logs?stdout=true&stderr=true`, within));
      const result = redaction.json({ code: ended.StatusCode ?? 1, ...log });
      return processOutput(result, task.return, 'the container', step);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw taskFailure('timeout', step, `the container took longer than ${timeoutMs} ms`);
      if (error instanceof EngineRefusal)
        throw taskFailure('runtime', step, `the container engine refused: ${redaction.json(error.message)}`);
      if (isConnectionError(error))
        throw taskFailure('communication', step, 'the container engine does not answer', { status: 503, cause: error });
      throw error;
    } finally {
      // Also what is still running: the step has ended.
      if (id !== undefined && !task.keep)
        await engine
          .json('DELETE', `/containers/${id}?force=true&v=true`, undefined, AbortSignal.timeout(CLEANUP_MS))
          .catch(() => {});
    }
  };
}

interface Creation {
  readonly environment: readonly string[];
  readonly network: string;
  readonly context: TaskContext;
  readonly signal: AbortSignal;
}

/** Creates the container, with its image pulled when the engine lacks it. Resolves to the name or id by which it is found. */
async function created(
  engine: ContainerEngine,
  task: ContainerTask,
  { environment, network, context, signal }: Creation,
): Promise<string> {
  const command = task.command === undefined ? undefined : splitWords(task.command);
  if (task.command !== undefined && command === undefined)
    throw taskFailure('configuration', context.step, 'a quote of the command has no end');
  const key = uuidOf(context.idempotencyKey);
  const name = nameOf(task.name, key);
  const body = {
    Image: task.image,
    ...(command === undefined ? {} : { Cmd: command }),
    Env: environment,
    Labels: { [LABEL]: context.executionId },
    HostConfig: {
      NetworkMode: network,
      Memory: MEMORY_BYTES,
      PidsLimit: MAX_PROCESSES,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
    },
  };
  const create = async () => {
    try {
      const answer = (await engine.json('POST', `/containers/create?name=${name}`, body, signal)) as { Id?: string };
      return answer.Id ?? name;
    } catch (error) {
      // An earlier try of this step created it.
      if (error instanceof EngineRefusal && error.status === 409) return name;
      throw error;
    }
  };
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof EngineRefusal) || error.status !== 404) throw error;
    await engine.json('POST', `/images/create?fromImage=${encodeURIComponent(withTag(task.image))}`, undefined, signal);
    return create();
  }
}

async function isNew(engine: ContainerEngine, id: string, signal: AbortSignal): Promise<boolean> {
  const found = (await engine.json('GET', `/containers/${id}/json`, undefined, signal)) as {
    State?: { Status?: string };
  };
  return found.State?.Status === 'created';
}

/** Names of containers have few characters; the end is the same for every try of a step, and for no other step. */
function nameOf(name: string, key: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${plain.slice(0, MAX_NAME - key.length - 1) || 'trapline'}-${key}`;
}

/** Without a tag the engine pulls every image of a repository. */
const withTag = (image: string): string => (/[:@][^/]*$/.test(image) ? image : `${image}:latest`);

function isConnectionError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:ENOENT|EACCES|ECONN|EPIPE|ETIMEDOUT)/.test(code);
}
