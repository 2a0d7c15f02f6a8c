import type { JsonValue } from '../../json-value.ts';
import { extensionPath } from './extension-path.ts';
import { type ExtensionsFrame, newList, type Outcome, type Run, type Step } from './frames.ts';
import { get, isList, isObject } from './json.ts';
import { runList } from './run-list.ts';
import { describeTask, type EvaluationContext, holds } from './values.ts';

/** Kinds of tasks whose name in `extend` differs from their key. */
const KINDS: Readonly<Record<string, string>> = { composite: 'do' };

/**
 * Returns the extensions that apply to a new task, by its kind and their `when` condition. Tasks of an extension have
 * no extensions themselves.
 */
export async function extensionsOf(
  evaluation: EvaluationContext & Pick<Step, 'frame' | 'scope'>,
  kind: string,
): Promise<ExtensionsFrame | undefined> {
  const { run, frame, scope } = evaluation;
  const defined = entriesOf(run);
  if (defined.length === 0 || scope.extended !== undefined) return undefined;
  const seen: EvaluationContext = { ...evaluation, scope: { ...scope, extended: describeTask(evaluation) ?? null } };
  const names: string[] = [];
  for (const [name, extension] of defined) {
    const extend = get(extension, 'extend');
    if (extend !== 'all' && (typeof extend !== 'string' || (KINDS[extend] ?? extend) !== kind)) continue;
    const when = get(extension, 'when');
    if (when === undefined || (await holds(seen, when, frame.raw))) names.push(name);
  }
  return names.length === 0 ? undefined : { names, phase: 'before', index: 0, list: null };
}

/**
 * Runs the task lists of all extensions for the current phase. Their outputs are dropped. Returns undefined when all
 * are done and the task continues. In the phase `before`, a list that exits or ends the workflow supplies the outcome
 * in place of the task.
 */
export async function runExtensions(
  step: Step,
  extensions: ExtensionsFrame,
  input: JsonValue,
): Promise<Outcome | undefined> {
  const { run, frame, path, scope } = step;
  const inner = { ...scope, extended: describeTask(step) ?? null };
  for (; extensions.index < extensions.names.length; extensions.index++) {
    const name = extensions.names[extensions.index];
    const extension = entriesOf(run).find(([other]) => other === name)?.[1];
    const tasks = get(extension, extensions.phase);
    if (!isList(tasks)) continue;
    extensions.list ??= newList(input, frame.attempt);
    const outcome = await runList(run, extensions.list, tasks, extensionPath(path, extensions), inner);
    if (outcome.is !== 'done' || outcome.next === 'end') return outcome;
    extensions.list = null;
    if (outcome.exited && extensions.phase === 'before') return outcome;
  }
  extensions.index = 0;
  return undefined;
}

/** Returns false if no extension can apply to any task of the run. */
export function hasExtensions({ definition }: Run): boolean {
  return get(get(definition, 'use'), 'extensions') !== undefined;
}

function entriesOf({ definition }: Run): readonly (readonly [string, JsonValue])[] {
  const list = get(get(definition, 'use'), 'extensions');
  return (isList(list) ? list : []).flatMap((item) => (isObject(item) ? Object.entries(item) : []));
}
