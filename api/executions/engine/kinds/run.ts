import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText } from '../interpreter/json.ts';
import { containerTask, PYTHON, scriptTask, shellTask } from '../interpreter/process-tasks.ts';
import { refuseSecrets } from '../interpreter/refuse-secrets.ts';
import { evaluateValue } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

const LANGUAGES: readonly JsonValue[] = ['js', 'javascript', PYTHON];

export const kind = defineTaskKind({
  note: [
    '`script`: JavaScript (`js`, `javascript`), inline or from `source`, without access to network and files. Its value is the output. Python (`python`) runs as a process.',
    '`workflow`: waits for the result, unless `await: false`. `namespace` is ignored.',
    '`shell` and `container`: only if the operator allows them. The task fails if the process fails, unless `return` includes the exit code (`code`).',
    'With `await: false`, the script or process continues in the background, and the output of the task is its input.',
  ].join(' '),
  schema: 'runTask',
  run: runProcessTask,
  work: 'outside',
  plain: ['run/script/code'],
  refusals: {
    container: 'Containers are not enabled. The operator enables them with `TRAPLINE_CONTAINER_ENGINE`.',
    shell: 'Shell commands are not enabled. The operator enables them with `TRAPLINE_SHELL_TASKS`.',
    python:
      'Python scripts are not enabled. They have the rights of a shell command, so the operator enables both with `TRAPLINE_SHELL_TASKS`.',
    'container.volumes':
      'Volumes of containers are not enabled. The operator enables them with `TRAPLINE_CONTAINER_VOLUMES`.',
    'container.ports':
      'Ports of containers are not enabled. The operator enables them with `TRAPLINE_CONTAINER_PORTS`.',
    return: 'A workflow supports only `return: stdout` and `return: none`. Its output is the value of the workflow.',
    'script.language': 'Unsupported language. Use JavaScript (`js`, `javascript`) or Python (`python`).',
  },
  check: ({ run }, checker) => {
    const [script, shell, container, workflow, result] = ['script', 'shell', 'container', 'workflow', 'return'].map(
      (part) => get(run, part),
    );
    if (container !== undefined && !checker.features.containers) checker.refuse('container', ['run', 'container']);
    if (shell !== undefined && !checker.features.shell) checker.refuse('shell', ['run', 'shell']);
    if (get(container, 'volumes') !== undefined && checker.features.containerVolumes === false)
      checker.refuse('container.volumes', ['run', 'container', 'volumes']);
    if (get(container, 'ports') !== undefined && checker.features.containerPorts === false)
      checker.refuse('container.ports', ['run', 'container', 'ports']);
    const language = get(script, 'language');
    if (workflow !== undefined && result !== undefined && result !== 'stdout' && result !== 'none')
      checker.refuse('return', ['run', 'return']);
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

/** Runs `run`: a script, a process or another workflow. */
export async function runProcessTask(step: Step): Promise<Outcome> {
  const run = get(step.task, 'run');
  const awaited = get(run, 'await') !== false;
  const outcome = await externalTask(step, () => taskOf(step, run, awaited));
  // A task that does not wait has no output to drop.
  const isEmpty = awaited && get(run, 'return') === 'none';
  return outcome.is === 'done' && isEmpty ? done(null, outcome.next) : outcome;
}

async function taskOf(step: Step, run: JsonValue | undefined, awaited: boolean): Promise<ExternalTask> {
  const workflow = get(run, 'workflow');
  if (workflow !== undefined) return workflowTask(step, workflow, awaited);
  const [script, shell, container] = ['script', 'shell', 'container'].map((part) => get(run, part));
  const ends = { return: RETURNS.find((each) => each === get(run, 'return')) ?? 'stdout', awaited };
  if (script !== undefined) return scriptTask(step, script, ends);
  if (shell !== undefined) return shellTask(step, shell, ends);
  if (container !== undefined) return containerTask(step, container, ends);
  throw fault('configuration', '`run` needs `script`, `shell`, `container` or `workflow`', step.path);
}

const RETURNS = ['stdout', 'stderr', 'code', 'all', 'none'] as const;

async function workflowTask(step: Step, workflow: JsonValue, awaited: boolean): Promise<ExternalTask> {
  const slug = await evaluateValue(step, get(workflow, 'name') ?? null, step.frame.input);
  if (typeof slug !== 'string' || slug === '') throw fault('configuration', '`run.workflow` needs a `name`', step.path);
  const version = await evaluateValue(step, get(workflow, 'version') ?? 'latest', step.frame.input);
  const input = await evaluateValue(step, get(workflow, 'input') ?? {}, step.frame.input);
  refuseSecrets(input, step.path);
  return { kind: 'workflow', slug, version: String(version), input, await: awaited };
}
