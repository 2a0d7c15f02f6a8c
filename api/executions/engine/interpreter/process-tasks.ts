import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import type { ContainerTask } from '../contract/process-task.ts';
import { type ProcessReturn, PULL_POLICIES } from '../contract/process-task.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { texts } from './http-task.ts';
import { get, getText, isList, isObject, type JsonObject } from './json.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import { resourceOf } from './resource.ts';
import { evaluateDuration, evaluateObject, evaluateValue } from './values.ts';

/** Script language that runs as a process. */
export const PYTHON = 'python';

/** How a task uses the end of its process. */
export interface ProcessEnd {
  readonly return: ProcessReturn;
  /** False for a detached process. */
  readonly awaited: boolean;
}

const endOf = ({ return: result, awaited }: ProcessEnd) => ({ return: result, ...(awaited ? {} : { detached: true }) });

/** Evaluates `run: script`, in JavaScript or Python. */
export async function scriptTask(step: Step, script: JsonValue, ends: ProcessEnd): Promise<ExternalTask> {
  const code = getText(script, 'code');
  const source = get(script, 'source');
  if (code === undefined && source === undefined) throw fault('configuration', 'the script has no code', step.path);
  const variables = get(script, 'environment');
  const environment = variables === undefined ? {} : await evaluateObject(step, variables, '`environment`');
  const { named, listed } = await argumentsOf(step, get(script, 'arguments'));
  refuseSecrets(environment, step.path);
  const language = getText(script, 'language') ?? 'js';
  const what = {
    code: code ?? '',
    ...(code === undefined && source !== undefined ? { source: await resourceOf(step, source) } : {}),
    arguments: named,
    ...(listed === undefined ? {} : { argv: listed }),
    environment: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, plainText(value)])),
    ...(await stdinOf(step, script)),
  };
  if (language === PYTHON) return { kind: 'python', ...what, ...endOf(ends) };
  const { return: result, ...rest } = endOf(ends);
  return { kind: 'script', language, ...what, ...(result === 'stdout' ? {} : { return: result }), ...rest };
}

/** Evaluates `run: shell`. */
export async function shellTask(step: Step, shell: JsonValue, ends: ProcessEnd): Promise<ExternalTask> {
  const { named, listed } = await argumentsOf(step, get(shell, 'arguments'));
  return {
    kind: 'shell',
    command: await textOf(step, get(shell, 'command'), 'command'),
    // A name without a value is an argument by itself.
    arguments: Object.entries(named).flatMap(([name, value]) =>
      value === null || value === '' ? [name] : [name, plainText(value)],
    ),
    ...(listed === undefined ? {} : { argv: listed }),
    environment: texts(await evaluateObject(step, get(shell, 'environment'), '`environment`'), step.path),
    ...(await stdinOf(step, shell)),
    ...endOf(ends),
  };
}

/**
 * Evaluates `arguments` of a script or command: an object as in version 1.0.0 of the language, or a list as in later
 * versions.
 */
async function argumentsOf(
  step: Step,
  given: JsonValue | undefined,
): Promise<{ readonly named: JsonObject; readonly listed?: readonly string[] }> {
  if (given === undefined) return { named: {} };
  const values = await evaluateValue(step, given, step.frame.input);
  refuseSecrets(values, step.path);
  if (isList(values)) return { named: {}, listed: values.map(plainText) };
  if (isObject(values)) return { named: values };
  throw fault('configuration', '`arguments` must be an object or a list', step.path);
}

/** Evaluates `stdin`: a string is passed unchanged, any other value as JSON. */
async function stdinOf(step: Step, process: JsonValue): Promise<{ readonly stdin?: string }> {
  const given = get(process, 'stdin');
  if (given === undefined) return {};
  const value = await evaluateValue(step, given, step.frame.input);
  refuseSecrets(value, step.path);
  return { stdin: plainText(value) };
}

/** Evaluates `run: container`. */
export async function containerTask(step: Step, container: JsonValue, ends: ProcessEnd): Promise<ExternalTask> {
  const { run, frame } = step;
  const command = get(container, 'command');
  const name = get(container, 'name');
  const namespace = getText(get(run.definition, 'document'), 'namespace') ?? 'default';
  return {
    kind: 'container',
    image: await textOf(step, get(container, 'image'), 'image'),
    name:
      name === undefined
        ? `${run.context.workflow.name}-${run.context.executionId}.${namespace}-${frame.name}`
        : await textOf(step, name, 'name'),
    ...(command === undefined ? {} : { command: await textOf(step, command, 'command') }),
    environment: texts(await evaluateObject(step, get(container, 'environment'), '`environment`'), step.path),
    ...(await containerParts(step, container)),
    ...(await lifetimeOf(step, get(container, 'lifetime'))),
    ...endOf(ends),
  };
}

/** Evaluates the optional members of a container. */
async function containerParts(step: Step, container: JsonValue): Promise<Partial<ContainerTask>> {
  const [given, pullPolicy, volumes, ports] = ['arguments', 'pullPolicy', 'volumes', 'ports'].map((part) =>
    get(container, part),
  );
  const values = await evaluateValue(step, given ?? [], step.frame.input);
  if (!isList(values)) throw fault('configuration', '`arguments` of a container must be a list', step.path);
  refuseSecrets(values, step.path);
  const policy = PULL_POLICIES.find((each) => each === pullPolicy);
  return {
    ...(given === undefined ? {} : { arguments: values.map(plainText) }),
    ...(await stdinOf(step, container)),
    ...(policy === undefined ? {} : { pullPolicy: policy }),
    ...(volumes === undefined ? {} : { volumes: await plainTexts(step, volumes, '`volumes`') }),
    ...(ports === undefined ? {} : { ports: await plainTexts(step, ports, '`ports`') }),
  };
}

const plainText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function plainTexts(step: Step, given: JsonValue, what: string): Promise<Readonly<Record<string, string>>> {
  const values = await evaluateObject(step, given, what);
  refuseSecrets(values, step.path);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainText(value)]));
}

/** Returns when to remove the container. Without `lifetime`, it is removed when it ends. */
async function lifetimeOf(
  step: Step,
  lifetime: JsonValue | undefined,
): Promise<Pick<ContainerTask, 'keep' | 'removeAfterMs'>> {
  const cleanup = getText(lifetime, 'cleanup');
  if (cleanup !== 'eventually') return { keep: cleanup === 'never' };
  return { keep: false, removeAfterMs: await evaluateDuration(step, get(lifetime, 'after') ?? null, '`after`') };
}

async function textOf(step: Step, given: JsonValue | undefined, what: string): Promise<string> {
  const value = await evaluateValue(step, given ?? null, step.frame.input);
  if (typeof value !== 'string' || value === '')
    throw fault('configuration', `\`${what}\` must be a string`, step.path);
  return value;
}
