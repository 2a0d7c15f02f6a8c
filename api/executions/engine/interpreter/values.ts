import { LRUCache } from 'lru-cache';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { variablesOf } from '../../expressions/jq-program.ts';
import { bareExpression, parseTemplate, type Template } from '../../expressions/parse-template.ts';
import type { JsonValue } from '../../json-value.ts';
import type { RunContext } from '../contract/port.ts';
import { durationMs } from './durations.ts';
import { Fault, fault } from './faults.ts';
import type { Run, Step, TaskFrame } from './frames.ts';
import { get, isList, isObject, type JsonObject } from './json.ts';
import { createValueSize, type ValueSize } from './value-budget.ts';

/**
 * Cache of parsed templates, bounded by characters of source text. A parsed template takes about ten bytes per
 * character.
 */
const templates = new LRUCache<string, Template>({
  max: 10_000,
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: (_template, text) => text.length + 1,
});

function templateOf(text: string): Template {
  let template = templates.get(text);
  if (template === undefined) {
    template = parseTemplate(text);
    templates.set(text, template);
  }
  return template;
}

/** The context of an evaluation: a step, or the workflow itself. */
export type EvaluationContext = Pick<Step, 'run' | 'path'> &
  Partial<Step> & {
    /** For a task that has ended: its output before `output.as`. */
    readonly rawOutput?: JsonValue;
  };

/**
 * Returns the variables of an expression. `$secrets` holds only references: `{"$secret": name}`. The worker resolves a
 * reference when it sends a request. Expensive variables are computed only when an expression uses them.
 */
function variablesFor(
  evaluation: EvaluationContext,
  more: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> {
  const { run, frame, task, path, scope } = evaluation;
  const base: Record<string, JsonValue> = {
    ...scope?.variables,
    context: run.exported,
    input: frame?.input ?? run.context.input,
    runtime: RUNTIME,
    __now: Date.parse(run.at) / 1_000,
    get workflow() {
      return describeWorkflow(run);
    },
    get secrets() {
      const names = scope?.foreign === true ? [] : run.context.secretNames;
      return Object.fromEntries(names.map((name) => [name, { $secret: name }]));
    },
  };
  if (scope?.extended !== undefined) base.task = scope.extended;
  else if (frame !== undefined && task !== undefined)
    Object.defineProperty(base, 'task', { get: () => endedTaskOf(evaluation, taskOf(frame, task, path)) });
  return Object.keys(more).length === 0 ? base : Object.assign(base, more);
}

/** Returns the values of the variables that expressions use, for a task that evaluates them outside the interpreter. */
export function variablesNamed(
  evaluation: EvaluationContext,
  expressions: readonly string[],
): Readonly<Record<string, JsonValue>> {
  const all = variablesFor(evaluation, {});
  const names = new Set(expressions.flatMap((expression) => variablesOf(expression)));
  return Object.fromEntries(
    [...names].flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name] ?? null]] : [])),
  );
}

/** Returns `$task` for extensions: the members of the definition of the task and its runtime data. */
export function describeTask({ frame, task, path }: EvaluationContext): JsonValue | undefined {
  if (frame === undefined || task === undefined) return undefined;
  return { ...task, ...taskOf(frame, task, path) };
}

function taskOf(frame: TaskFrame, task: JsonObject, path: string) {
  return {
    name: frame.name,
    reference: path,
    definition: task,
    input: frame.raw,
    startedAt: moment(frame.startedAt),
    attempt: frame.attempt,
  };
}

function endedTaskOf({ rawOutput }: EvaluationContext, task: JsonObject): JsonValue {
  return rawOutput === undefined ? task : { ...task, output: rawOutput };
}

const RUNTIME = { name: 'trapline', version: '1', metadata: {} };

function moment(at: string): JsonValue {
  const ms = Date.parse(at);
  return { iso8601: at, epoch: { seconds: Math.floor(ms / 1_000), milliseconds: ms } };
}

function describeWorkflow({ definition, context }: Pick<Run, 'definition' | 'context'>): JsonValue {
  const { executionId, workflow, input, startedAt }: RunContext = context;
  return { id: executionId, definition, input, startedAt: moment(startedAt), reference: { ...workflow } };
}

/** Evaluates an expression, with or without `${ }`. */
export async function evaluateExpression(
  evaluation: EvaluationContext,
  expression: string,
  input: JsonValue,
  more: Readonly<Record<string, JsonValue>> = {},
): Promise<JsonValue> {
  try {
    return await evaluation.run.evaluate(bareExpression(expression), input, variablesFor(evaluation, more));
  } catch (error) {
    if (error instanceof ExpressionError) throw fault('expression', error.message, evaluation.path);
    throw error;
  }
}

/** Evaluates a condition. As in jq, every value except `false` and `null` is true. */
export async function holds(
  evaluation: EvaluationContext,
  expression: JsonValue,
  input: JsonValue,
  more: Readonly<Record<string, JsonValue>> = {},
): Promise<boolean> {
  if (typeof expression === 'boolean') return expression;
  if (typeof expression !== 'string') throw fault('configuration', 'a condition is an expression', evaluation.path);
  const value = await evaluateExpression(evaluation, expression, input, more);
  return value !== null && value !== false;
}

/**
 * Evaluates every `${ }` in a value of the definition, at any depth. Throws as soon as the result exceeds the maximum
 * size of a value.
 */
export async function evaluateValue(
  evaluation: EvaluationContext,
  value: JsonValue,
  input: JsonValue,
  more: Readonly<Record<string, JsonValue>> = {},
): Promise<JsonValue> {
  return build({ evaluation, input, more, size: createValueSize(evaluation) }, value, 0);
}

interface Building {
  readonly evaluation: EvaluationContext;
  readonly input: JsonValue;
  readonly more: Readonly<Record<string, JsonValue>>;
  readonly size: ValueSize;
}

async function build(building: Building, value: JsonValue, level: number): Promise<JsonValue> {
  const { size } = building;
  if (typeof value === 'string') {
    const result = await evaluateText(building, value);
    size.addValue(result, level);
    return result;
  }
  if (isList(value)) {
    const items: JsonValue[] = [];
    size.addNode(2 + value.length);
    for (const item of value) items.push(await build(building, item, level + 1));
    return items;
  }
  if (!isObject(value)) {
    size.addValue(value, level);
    return value;
  }
  const entries: [string, JsonValue][] = [];
  size.addNode(2);
  for (const [name, inner] of Object.entries(value)) {
    size.addNode(name.length + 4);
    entries.push([name, await build(building, inner, level + 1)]);
  }
  return Object.fromEntries(entries);
}

const isLoose = ({ run }: EvaluationContext): boolean => get(get(run.definition, 'evaluate'), 'mode') === 'loose';

/** In loose mode, every string is evaluated as an expression. If that fails, it remains a string. */
async function evaluateLoosely(
  evaluation: EvaluationContext,
  text: string,
  input: JsonValue,
  more: Readonly<Record<string, JsonValue>>,
): Promise<JsonValue> {
  if (text.trim() === '') return text;
  try {
    return await evaluateExpression(evaluation, text, input, more);
  } catch (error) {
    if (error instanceof Fault && !error.fatal) return text;
    throw error;
  }
}

async function evaluateText({ evaluation, input, more, size }: Building, text: string): Promise<JsonValue> {
  const template = templateOf(text);
  if (template.kind === 'literal') return isLoose(evaluation) ? evaluateLoosely(evaluation, text, input, more) : text;
  if (template.kind === 'expression') return evaluateExpression(evaluation, template.expression, input, more);
  let result = '';
  for (const part of template.parts) {
    if ('text' in part) result += part.text;
    else {
      const value = await evaluateExpression(evaluation, part.expression, input, more);
      if (get(value, '$secret') !== undefined)
        throw fault('authorization', 'a secret must be a whole value: it cannot be part of a string', evaluation.path);
      // Checked before the value is converted to text and appended.
      size.expect(value, result.length);
      result += typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  // Yield to other runs here: the string parts are only copied when the result is read.
  const turn = evaluation.run.pace.made(result.length);
  if (turn !== undefined) await turn;
  return result;
}

/** Evaluates `from` or `as`: an expression, or an object that contains expressions. */
export async function transform(
  evaluation: EvaluationContext,
  filter: JsonValue | undefined,
  input: JsonValue,
  more: Readonly<Record<string, JsonValue>> = {},
): Promise<JsonValue> {
  if (filter === undefined) return input;
  return typeof filter === 'string'
    ? evaluateExpression(evaluation, filter, input, more)
    : evaluateValue(evaluation, filter, input, more);
}

/** Evaluates a value of the definition that must result in an object. */
export async function evaluateObject(
  evaluation: EvaluationContext,
  value: JsonValue | undefined,
  what: string,
): Promise<JsonObject> {
  if (value === undefined) return {};
  const result = await evaluateValue(evaluation, value, evaluation.frame?.input ?? null);
  if (!isObject(result)) throw fault('configuration', `${what} must be an object`, evaluation.path);
  return result;
}

/** Evaluates a duration of the definition, in milliseconds. The text or its members may be expressions. */
export async function evaluateDuration(evaluation: EvaluationContext, value: JsonValue, what: string): Promise<number> {
  const ms = durationMs(await evaluateValue(evaluation, value, evaluation.frame?.input ?? null));
  if (ms === undefined) throw fault('configuration', `${what} must be a duration`, evaluation.path);
  return ms;
}
