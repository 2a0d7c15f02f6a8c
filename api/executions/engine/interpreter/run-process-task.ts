import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from '../port.ts';
import { externalTask } from './external-task.ts';
import { fault } from './faults.ts';
import { done, type Outcome, type Step } from './frames.ts';
import { get, getText } from './json.ts';
import { evaluateObject, evaluateValue } from './values.ts';

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

/** A script or workflow could give a secret on into results and traces. */
function refuseSecrets(value: JsonValue, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (get(value, '$secret') !== undefined)
    throw fault('authorization', 'secrets go to http calls only, not to scripts and workflows', path);
  for (const inner of Object.values(value) as JsonValue[]) refuseSecrets(inner, path);
}
