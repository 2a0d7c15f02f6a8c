import type { JsonValue } from '../../json-value.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { texts } from '../interpreter/http-task.ts';
import { get, getText, isList } from '../interpreter/json.ts';
import { refuseSecrets } from '../interpreter/refuse-secrets.ts';
import { resourceOf } from '../interpreter/resource.ts';
import { evaluateDuration, evaluateObject, evaluateValue } from '../interpreter/values.ts';
import { type ExternalTask, type ProcessReturn, PULL_POLICIES } from '../port.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

const PYTHON = 'python';
const LANGUAGES: readonly JsonValue[] = ['js', 'javascript', PYTHON];

export const kind = defineTaskKind({
  note: [
    '`script`: JavaScript (`js`, `javascript`), inline or fetched from `source`, without network and files; its value is the output. Python (`python`) is a process.',
    '`workflow`: waits for its result unless `await: false`; `namespace` is ignored.',
    '`shell` and `container`: where the operator allows them; a process that fails fails the task, unless its `code` is asked for.',
  ].join(' '),
  schema: 'runTask',
  run: runProcessTask,
  work: 'outside',
  refusals: {
    container: 'The operator has not named a container engine (`TRAPLINE_CONTAINER_ENGINE`).',
    shell: 'The operator does not allow shell commands (`TRAPLINE_SHELL_TASKS`).',
    python:
      'The operator does not allow scripts in Python, which have the rights of a shell command (`TRAPLINE_SHELL_TASKS`).',
    'container.volumes': 'The operator allows no volumes for containers (`TRAPLINE_CONTAINER_VOLUMES`).',
    'container.ports': 'The operator allows no ports for containers (`TRAPLINE_CONTAINER_PORTS`).',
    return: 'A script or workflow gives its value: `return` other than `stdout` or `none` is for processes.',
    'script.language': 'Only JavaScript (`js`, `javascript`) and Python (`python`) are run here.',
    await: '`await: false` is for workflows: a script or process is always waited for.',
  },
  check: ({ run }, checker) => {
    const [script, shell, container, result] = ['script', 'shell', 'container', 'return'].map((part) => get(run, part));
    if (container !== undefined && !checker.features.containers) checker.refuse('container', ['run', 'container']);
    if (shell !== undefined && !checker.features.shell) checker.refuse('shell', ['run', 'shell']);
    if (get(container, 'volumes') !== undefined && checker.features.containerVolumes === false)
      checker.refuse('container.volumes', ['run', 'container', 'volumes']);
    if (get(container, 'ports') !== undefined && checker.features.containerPorts === false)
      checker.refuse('container.ports', ['run', 'container', 'ports']);
    const language = get(script, 'language');
    const isProcess = shell !== undefined || container !== undefined || language === PYTHON;
    if (!isProcess && result !== undefined && result !== 'stdout' && result !== 'none')
      checker.refuse('return', ['run', 'return']);
    if (get(run, 'workflow') === undefined && get(run, 'await') === false) checker.refuse('await', ['run', 'await']);
    if (script === undefined) return;
    if (language === PYTHON && !checker.features.shell) checker.refuse('python', ['run', 'script', 'language']);
    if (language !== undefined && !LANGUAGES.includes(language))
      checker.refuse('script.language', ['run', 'script', 'language'], String(language));
    checker.endpoint(get(get(script, 'source'), 'endpoint'), ['run', 'script', 'source', 'endpoint']);
  },
  detail: ({ run }) => {
    const workflow = get(run, 'workflow');
    if (workflow !== undefined) return shortDetail(`workflow ${getText(workflow, 'name') ?? ''}`);
    const container = get(run, 'container');
    if (container !== undefined) return shortDetail(`container ${getText(container, 'image') ?? ''}`);
    const shell = get(run, 'shell');
    if (shell !== undefined) return shortDetail(`shell ${getText(shell, 'command') ?? ''}`);
    return shortDetail(`script, ${getText(get(run, 'script'), 'language') ?? 'javascript'}`);
  },
});

/** `run`: a script, a process, or another workflow. */
export async function runProcessTask(step: Step): Promise<Outcome> {
  const run = get(step.task, 'run');
  const outcome = await externalTask(step, async () => {
    const script = get(run, 'script');
    const workflow = get(run, 'workflow');
    if (script !== undefined) return scriptTask(step, script, returnOf(run));
    if (workflow !== undefined) return workflowTask(step, workflow, get(run, 'await') !== false);
    const result = returnOf(run);
    const shell = get(run, 'shell');
    if (shell !== undefined) return shellTask(step, shell, result);
    const container = get(run, 'container');
    if (container !== undefined) return containerTask(step, container, result);
    throw fault('configuration', 'there is nothing to run', step.path);
  });
  return outcome.is === 'done' && get(run, 'return') === 'none' ? done(null, outcome.next) : outcome;
}

async function scriptTask(step: Step, script: JsonValue, result: ProcessReturn): Promise<ExternalTask> {
  const code = getText(script, 'code');
  const source = get(script, 'source');
  if (code === undefined && source === undefined) throw fault('configuration', 'the script has no code', step.path);
  const [variables, parameters] = [get(script, 'environment'), get(script, 'arguments')];
  const environment = variables === undefined ? {} : await evaluateObject(step, variables, '`environment`');
  const given = parameters === undefined ? {} : await evaluateObject(step, parameters, '`arguments`');
  refuseSecrets([environment, given], step.path);
  const language = getText(script, 'language') ?? 'js';
  const what = {
    code: code ?? '',
    ...(code === undefined && source !== undefined ? { source: await resourceOf(step, source) } : {}),
    arguments: given,
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  };
  return language === PYTHON ? { kind: 'python', ...what, return: result } : { kind: 'script', language, ...what };
}

async function workflowTask(step: Step, workflow: JsonValue, awaited: boolean): Promise<ExternalTask> {
  const slug = await evaluateValue(step, get(workflow, 'name') ?? null, step.frame.input);
  if (typeof slug !== 'string' || slug === '')
    throw fault('configuration', 'the workflow to run has no name', step.path);
  const version = await evaluateValue(step, get(workflow, 'version') ?? 'latest', step.frame.input);
  const input = await evaluateValue(step, get(workflow, 'input') ?? {}, step.frame.input);
  refuseSecrets(input, step.path);
  return { kind: 'workflow', slug, version: String(version), input, await: awaited };
}

const RETURNS = ['stdout', 'stderr', 'code', 'all', 'none'] as const;

function returnOf(run: JsonValue | undefined): ProcessReturn {
  return RETURNS.find((each) => each === get(run, 'return')) ?? 'stdout';
}

async function shellTask(step: Step, shell: JsonValue, result: ProcessReturn): Promise<ExternalTask> {
  const given = await evaluateObject(step, get(shell, 'arguments'), '`arguments`');
  refuseSecrets(given, step.path);
  return {
    kind: 'shell',
    command: await textOf(step, get(shell, 'command'), 'command'),
    // A name without a value is an argument by itself.
    arguments: Object.entries(given).flatMap(([name, value]) =>
      value === null || value === '' ? [name] : [name, typeof value === 'string' ? value : JSON.stringify(value)],
    ),
    environment: texts(await evaluateObject(step, get(shell, 'environment'), '`environment`'), step.path),
    return: result,
  };
}

async function containerTask(step: Step, container: JsonValue, result: ProcessReturn): Promise<ExternalTask> {
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
    return: result,
  };
}

type Container = Extract<ExternalTask, { kind: 'container' }>;

/** Parts that a container need not have. */
async function containerParts(step: Step, container: JsonValue): Promise<Partial<Container>> {
  const [given, stdin, pullPolicy, volumes, ports] = ['arguments', 'stdin', 'pullPolicy', 'volumes', 'ports'].map(
    (part) => get(container, part),
  );
  const values = await evaluateValue(step, given ?? [], step.frame.input);
  if (!isList(values)) throw fault('configuration', '`arguments` of a container is no list', step.path);
  refuseSecrets(values, step.path);
  const policy = PULL_POLICIES.find((each) => each === pullPolicy);
  return {
    ...(given === undefined ? {} : { arguments: values.map(plainText) }),
    ...(stdin === undefined ? {} : { stdin: await stdinOf(step, stdin) }),
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

async function stdinOf(step: Step, given: JsonValue): Promise<string> {
  const value = await evaluateValue(step, given, step.frame.input);
  refuseSecrets(value, step.path);
  return plainText(value);
}

/** Without a lifetime a container is removed when it has ended. */
async function lifetimeOf(
  step: Step,
  lifetime: JsonValue | undefined,
): Promise<Pick<Container, 'keep' | 'removeAfterMs'>> {
  const cleanup = getText(lifetime, 'cleanup');
  if (cleanup !== 'eventually') return { keep: cleanup === 'never' };
  return { keep: false, removeAfterMs: await evaluateDuration(step, get(lifetime, 'after') ?? null, '`after`') };
}

async function textOf(step: Step, given: JsonValue | undefined, what: string): Promise<string> {
  const value = await evaluateValue(step, given ?? null, step.frame.input);
  if (typeof value !== 'string' || value === '') throw fault('configuration', `\`${what}\` is no text`, step.path);
  return value;
}
