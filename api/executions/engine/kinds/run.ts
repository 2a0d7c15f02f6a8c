import type { JsonValue } from '../../json-value.ts';
import { externalTask } from '../interpreter/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText } from '../interpreter/json.ts';
import { refuseSecrets } from '../interpreter/refuse-secrets.ts';
import { evaluateObject, evaluateValue } from '../interpreter/values.ts';
import type { ExternalTask } from '../port.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: [
    '`script`: JavaScript (`js`, `javascript`) inline, without network and files; its value is the output.',
    '`workflow`: waits for its result unless `await: false`; `namespace` is ignored.',
  ].join(' '),
  schema: 'runTask',
  run: runProcessTask,
  work: 'outside',
  refusals: {
    container: 'Containers are not run here: use `run.script`, or `call: http` to a service.',
    shell: 'Shell commands are not run here: use `run.script`, or `call: http` to a service.',
    return: 'A script or workflow gives its value: `return` other than `stdout` or `none` is not run here.',
    'script.language': 'Only JavaScript (`js`, `javascript`) is run here.',
    'script.source': 'Scripts from elsewhere are not fetched: put the code inline, so that a release never changes.',
    'script.await': '`await: false` is for workflows: a script is always waited for.',
  },
  check: ({ run }, checker) => {
    const script = get(run, 'script');
    const result = get(run, 'return');
    if (get(run, 'container') !== undefined) checker.refuse('container', ['run', 'container']);
    if (get(run, 'shell') !== undefined) checker.refuse('shell', ['run', 'shell']);
    if (result !== undefined && result !== 'stdout' && result !== 'none') checker.refuse('return', ['run', 'return']);
    if (script === undefined) return;
    const language = get(script, 'language');
    if (language !== undefined && language !== 'js' && language !== 'javascript')
      checker.refuse('script.language', ['run', 'script', 'language'], String(language));
    if (get(script, 'source') !== undefined) checker.refuse('script.source', ['run', 'script', 'source']);
    if (get(run, 'await') === false) checker.refuse('script.await', ['run', 'await']);
  },
  detail: ({ run }) => {
    const workflow = get(run, 'workflow');
    if (workflow !== undefined) return shortDetail(`workflow ${getText(workflow, 'name') ?? ''}`);
    return shortDetail(`script, ${getText(get(run, 'script'), 'language') ?? 'javascript'}`);
  },
});

/** `run`: a script or another workflow. */
export async function runProcessTask(step: Step): Promise<Outcome> {
  const run = get(step.task, 'run');
  const outcome = await externalTask(step, async () => {
    const script = get(run, 'script');
    const workflow = get(run, 'workflow');
    if (script !== undefined) return scriptTask(step, script);
    if (workflow !== undefined) return workflowTask(step, workflow, get(run, 'await') !== false);
    throw fault('configuration', 'only scripts and workflows are run here', step.path);
  });
  return outcome.is === 'done' && get(run, 'return') === 'none' ? done(null, outcome.next) : outcome;
}

async function scriptTask(step: Step, script: JsonValue): Promise<ExternalTask> {
  const code = getText(script, 'code');
  if (code === undefined) throw fault('configuration', 'the script has no code', step.path);
  const environment = await evaluateObject(step, get(script, 'environment'), '`environment`');
  const given = await evaluateObject(step, get(script, 'arguments'), '`arguments`');
  refuseSecrets([environment, given], step.path);
  return {
    kind: 'script',
    language: getText(script, 'language') ?? 'js',
    code,
    arguments: given,
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  };
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
