import type { ContainerTask } from '../../engine/contract/process-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { uuidOf } from '../uuid-of.ts';
import {
  AccessRefused,
  type ContainerAccess,
  type Mount,
  mountsOf,
  NO_ACCESS,
  type PortBindings,
  portsOf,
} from './container-access.ts';
import { createContainerCleanup, REMOVE_AFTER_LABEL } from './container-cleanup.ts';
import { type ContainerEngine, createContainerEngine, EngineRefusal, splitLog } from './container-engine.ts';
import { processOutput } from './process-output.ts';
import { splitWords } from './split-words.ts';

export interface ContainerTaskConfig {
  /** Socket of the engine. If undefined, containers are refused. */
  readonly socketPath: string | undefined;
  /** Network of the containers. Default: none. */
  readonly network?: string;
  /** Host resources that containers may use. Default: none. */
  readonly access?: ContainerAccess;
  /** Timeout in ms. Default 30 minutes. A shorter `timeout` of the definition applies too. */
  readonly timeoutMs?: number;
}

const LABEL = 'org.trapline.execution';
const MEMORY_BYTES = 512 * 2 ** 20;
const MAX_PROCESSES = 256;
const CLEANUP_MS = 10_000;
const MAX_NAME = 128;

/**
 * Runs a container and waits for it. After a crash of this process, the same container is found by name and waited for.
 */
export function createContainerTask(
  { resolveSecrets }: { readonly resolveSecrets: ResolveSecrets },
  { socketPath, network = 'none', access = NO_ACCESS, timeoutMs = 1_800_000 }: ContainerTaskConfig,
) {
  const engine = socketPath === undefined ? undefined : createContainerEngine(socketPath);
  const cleanup = engine === undefined ? undefined : createContainerCleanup(engine);
  return async (task: ContainerTask, context: TaskContext): Promise<JsonValue> => {
    const { step, signal } = context;
    if (engine === undefined)
      throw taskFailure(
        'authorization',
        step,
        'the operator has not named a container engine (TRAPLINE_CONTAINER_ENGINE)',
      );
    const secrets = await secretsOf([task.environment], context, resolveSecrets);
    secrets.requireUnbound('a container');
    const redaction = createRedaction(secrets.used());
    const timeout = AbortSignal.timeout(timeoutMs);
    const within = AbortSignal.any([signal, timeout]);
    const environment = Object.entries(task.environment).map(([name, value]) => `${name}=${secrets.text(value)}`);
    let id: string | undefined;
    let hasEnded = false;
    try {
      const host = await hostParts(task, { network, access });
      id = await created(engine, task, { environment, host, context, signal: within });
      // The container of an earlier try may still run or have ended. It is not started again.
      if (await isNew(engine, id, within)) await start(engine, id, task.stdin, within);
      const ended = (await engine.json('POST', `/containers/${id}/wait`, undefined, within)) as { StatusCode?: number };
      hasEnded = true;
      const log = splitLog(await engine.bytes('GET', `/containers/${id}/logs?stdout=true&stderr=true`, within));
      const result = redaction.json({ code: ended.StatusCode ?? 1, ...log });
      return processOutput(result, task.return, 'the container', step);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw taskFailure('timeout', step, `the container took longer than ${timeoutMs} ms`);
      if (error instanceof AccessRefused) throw taskFailure('authorization', step, error.message);
      if (error instanceof EngineRefusal)
        throw taskFailure(
          'runtime',
          step,
          `the container engine rejected the request: ${redaction.json(error.message)}`,
        );
      if (isConnectionError(error))
        throw taskFailure('communication', step, 'the container engine does not respond', {
          status: 503,
          cause: error,
        });
      throw error;
    } finally {
      if (id !== undefined) await end(engine, id, task, hasEnded);
      if (task.removeAfterMs !== undefined) void cleanup?.sweep();
    }
  };
}

/** Stops a running container, because the step has ended, and removes it unless it must be kept. */
async function end(engine: ContainerEngine, id: string, task: ContainerTask, hasEnded: boolean): Promise<void> {
  const stays = task.keep || (task.removeAfterMs !== undefined && hasEnded);
  if (stays && hasEnded) return;
  const [method, path] = stays ? ['POST', `/containers/${id}/kill`] : ['DELETE', `/containers/${id}?force=true&v=true`];
  await engine.json(method, path, undefined, AbortSignal.timeout(CLEANUP_MS)).catch(() => {});
}

/**
 * Starts a container and sends its input. The stream is opened first, because a container that starts without it reads
 * an empty input.
 */
async function start(
  engine: ContainerEngine,
  id: string,
  stdin: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const input =
    stdin === undefined ? undefined : await engine.stream(`/containers/${id}/attach?stream=true&stdin=true`, signal);
  // A container may end without reading all of its input.
  input?.on('error', () => {});
  await engine.json('POST', `/containers/${id}/start`, undefined, signal);
  input?.resume();
  input?.end(stdin);
}

/** Returns the host resources of a container. Throws `AccessRefused`. */
async function hostParts(
  { volumes = {}, ports = {} }: ContainerTask,
  { network, access }: { readonly network: string; readonly access: ContainerAccess },
): Promise<HostParts> {
  const bindings = portsOf(ports, access);
  if (network === 'none' && Object.keys(bindings).length > 0)
    throw new AccessRefused('ports need a network, and containers have none (TRAPLINE_CONTAINER_NETWORK)');
  return { network, mounts: await mountsOf(volumes, access), ports: bindings };
}

interface HostParts {
  readonly network: string;
  readonly mounts: readonly Mount[];
  readonly ports: PortBindings;
}

interface Creation {
  readonly environment: readonly string[];
  readonly host: HostParts;
  readonly context: TaskContext;
  readonly signal: AbortSignal;
}

/** Creates the container, and pulls its image if the engine lacks it. Resolves to its name or id. */
async function created(
  engine: ContainerEngine,
  task: ContainerTask,
  { environment, host, context, signal }: Creation,
): Promise<string> {
  const command = task.command === undefined ? undefined : splitWords(task.command);
  if (task.command !== undefined && command === undefined)
    throw taskFailure('configuration', context.step, 'the command has an unclosed quote');
  const words =
    command === undefined && task.arguments === undefined ? undefined : [...(command ?? []), ...(task.arguments ?? [])];
  const key = uuidOf(context.idempotencyKey);
  const name = nameOf(task.name, key);
  const body = {
    Image: task.image,
    ...(words === undefined ? {} : { Cmd: words }),
    Env: environment,
    Labels: {
      [LABEL]: context.executionId,
      ...(task.removeAfterMs === undefined ? {} : { [REMOVE_AFTER_LABEL]: String(task.removeAfterMs) }),
    },
    ...(task.stdin === undefined ? {} : { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
    ExposedPorts: Object.fromEntries(Object.keys(host.ports).map((port) => [port, {}])),
    HostConfig: {
      NetworkMode: host.network,
      Mounts: host.mounts,
      PortBindings: host.ports,
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
  const pull = () =>
    engine.json('POST', `/images/create?fromImage=${encodeURIComponent(withTag(task.image))}`, undefined, signal);
  if (task.pullPolicy === 'always') await pull();
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof EngineRefusal) || error.status !== 404 || task.pullPolicy === 'never') throw error;
    await pull();
    return create();
  }
}

async function isNew(engine: ContainerEngine, id: string, signal: AbortSignal): Promise<boolean> {
  const found = (await engine.json('GET', `/containers/${id}/json`, undefined, signal)) as {
    State?: { Status?: string };
  };
  return found.State?.Status === 'created';
}

/**
 * Returns a container name within the allowed characters. The suffix is the same for every try of a step, and unique
 * per step.
 */
function nameOf(name: string, key: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${plain.slice(0, MAX_NAME - key.length - 1) || 'trapline'}-${key}`;
}

/** Adds a default tag. Without a tag, the engine pulls all images of a repository. */
const withTag = (image: string): string => (/[:@][^/]*$/.test(image) ? image : `${image}:latest`);

function isConnectionError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:ENOENT|EACCES|ECONN|EPIPE|ETIMEDOUT)/.test(code);
}
