import type { JsonValue } from '../../json-value.ts';
import { exportContext } from './export-context.ts';
import { type ListenBody, newList, type Outcome, type Step } from './frames.ts';
import { get, getText, isList } from './json.ts';
import { runList } from './run-list.ts';
import { checkSchema } from './schemas.ts';
import { transform } from './values.ts';

/**
 * Runs `foreach` of a listen task: one iteration per consumed event, sequentially, in order of arrival. The input of an
 * iteration is the event, also available as `item`. Its output, after `output.as`, is appended to the output of the
 * listen task. Returns undefined when all consumed events are processed.
 */
export async function runForeach(
  step: Step,
  taken: readonly JsonValue[],
  turns: NonNullable<ListenBody['turns']>,
  afterTurn: () => Promise<void>,
): Promise<Outcome | undefined> {
  const { run, frame, task, scope } = step;
  const iterator = get(task, 'foreach');
  const given = get(iterator, 'do');
  const tasks = isList(given) ? given : [];
  while (turns.index < taken.length) {
    const path = `${step.path}/foreach[${turns.index}]`;
    const item = get(taken[turns.index], 'event') ?? null;
    turns.list ??= newList(item, frame.attempt);
    const variables: Record<string, JsonValue> = {
      ...scope.variables,
      [getText(iterator, 'item') ?? 'item']: item,
      [getText(iterator, 'at') ?? 'index']: turns.index,
    };
    const turn: Step = { ...step, scope: { ...scope, variables } };
    const outcome = await runList(run, turns.list, tasks, `${path}/do`, turn.scope);
    if (outcome.is !== 'done' || outcome.next === 'end') return outcome;
    const filter = get(iterator, 'output');
    const output = await transform(turn, get(filter, 'as'), outcome.output, { output: outcome.output });
    await checkSchema(run, get(filter, 'schema'), output, 'the output of a turn', path);
    await exportContext(turn, get(iterator, 'export'), output);
    turns.outputs.push(output);
    turns.index++;
    turns.list = null;
    await afterTurn();
  }
  return undefined;
}
