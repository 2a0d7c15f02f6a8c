import type { JsonValue } from '../../json-value.ts';
import { NAME_PATTERN } from '../../worker-tasks/names.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { get } from './json.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import { evaluateValue } from './values.ts';

/** `call: trapline.worker` enqueues a task for an external worker. */
export const WORKER_CALL = 'trapline.worker';

/**
 * Evaluates a call of `trapline.worker`: `with` has `queue`, `type` and `input`. Without `input`, the worker receives
 * the input of the task.
 */
export async function workerTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const name = async (key: 'queue' | 'type'): Promise<string> => {
    const value = await evaluateValue(step, get(given, key) ?? null, step.frame.input);
    if (typeof value !== 'string' || !NAME_PATTERN.test(value))
      throw fault(
        'configuration',
        `\`with.${key}\` must be a name of at most 63 letters, digits, ".", "_" and "-"`,
        step.path,
      );
    return value;
  };
  const queue = await name('queue');
  const type = await name('type');
  const template = get(given, 'input');
  const input: JsonValue =
    template === undefined ? step.frame.input : await evaluateValue(step, template, step.frame.input);
  refuseSecrets(input, step.path);
  const deadline = deadlineOf(step);
  return { kind: 'worker', queue, type, input, ...(deadline === undefined ? {} : { deadline }) };
}

/** Returns the deadline from the timeout that was set in this advance, when the step began. */
function deadlineOf({ run, frame, path }: Step): string | undefined {
  const timer = `${path}#timeout.${frame.attempt}`;
  const started = run.commands.findLast((command) => command.type === 'start-timer' && command.timer === timer);
  return started?.type === 'start-timer' ? started.at : undefined;
}

/**
 * Validates `with` of a call of `trapline.worker` before it runs. Reports unknown members, and names that are neither
 * valid names nor expressions.
 */
export function workerCallProblem(given: JsonValue | undefined): string | undefined {
  for (const key of ['queue', 'type']) {
    const value = get(given, key);
    if (value === undefined) return `\`${key}\` is missing`;
    if (typeof value !== 'string') return `\`${key}\` must be text`;
    if (!value.trimStart().startsWith('$') && !NAME_PATTERN.test(value))
      return `\`${key}\` is ${JSON.stringify(value)}`;
  }
  const unknown = Object.keys(given ?? {}).find((key) => key !== 'queue' && key !== 'type' && key !== 'input');
  return unknown === undefined ? undefined : `\`${unknown}\` is unknown`;
}
