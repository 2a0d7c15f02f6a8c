import sdk from '@serverlessworkflow/sdk';
import type { JsonValue } from '../json-value.ts';
import { type DefinitionIssue, MAX_ISSUES, pathOfPointer, problem } from './issue.ts';
import { isRecord, type JsonRecord, tasksOf } from './walk.ts';

/** The rule in a line of the complaint of the SDK: a place in its schema. */
const RULE = /^(?:#|https?:)\S*$/;
const ALTERNATIVES =
  /^must (?:match exactly one schema in oneOf|match a schema in anyOf|match "(?:then|else|if)" schema)/;

/** Names that the SDK has for the kinds of task; the calls by what is called. */
const TASK_TYPES: Readonly<Record<string, string>> = {
  do: 'DoTask',
  emit: 'EmitTask',
  for: 'ForTask',
  fork: 'ForkTask',
  listen: 'ListenTask',
  raise: 'RaiseTask',
  run: 'RunTask',
  set: 'SetTask',
  switch: 'SwitchTask',
  try: 'TryTask',
  wait: 'WaitTask',
};
const CALL_TYPES: Readonly<Record<string, string>> = { http: 'CallHTTP' };
/** Versions of the language that differ in nothing that is written down. */
const SAME_LANGUAGE = /^1\.0\.\d+$/;

/** Checks a definition against the JSON Schema of the language, by its SDK. */
export function validateShape(definition: JsonValue): DefinitionIssue[] {
  if (!isRecord(definition)) return [problem([], 'a workflow is expected: an object with `document` and `do`')];
  const { document } = definition;
  if (!isRecord(document)) return [problem([], 'is required: `document` with dsl, namespace, name and version')];
  const { dsl } = document;
  if (typeof dsl !== 'string' || !SAME_LANGUAGE.test(dsl))
    return [problem(['document', 'dsl'], 'a version of the language is expected, as text: 1.0.0')];
  const form = inFirstForm({ ...definition, document: { ...document, dsl: '1.0.0' } });
  const said = complaints('Workflow', form);
  const issues = deepest(said)
    .slice(0, MAX_ISSUES)
    .flatMap((place) => closer(form, place, said));
  // Several complaints about one task may have led to the same closer look.
  return [...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values()];
}

/** The schema of the SDK is that of 1.0.0; since then `set` may be one expression too, and so may durations. */
function inFirstForm(definition: JsonRecord): JsonRecord {
  const form = structuredClone(definition);
  for (const { task } of tasksOf(form)) {
    if (isExpression(task.set)) Object.assign(task, { set: { expression: task.set } });
    if (isExpression(task.wait)) Object.assign(task, { wait: 'PT1S' });
    if (isRecord(task.timeout) && isExpression(task.timeout.after)) Object.assign(task.timeout, { after: 'PT1S' });
  }
  return form;
}

function isExpression(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.trim().startsWith('${') && value.trim().endsWith('}');
}

/** What is said at each place, by its JSON pointer; empty when all is well. */
type Complaints = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The SDK tells everything in one text, and tells of every alternative that a task could have been. Where a task says which it is, that one's
 * complaints are told.
 */
function closer(definition: JsonValue, pointer: string, said: Complaints): DefinitionIssue[] {
  const path = pathOfPointer(pointer);
  for (let length = path.length; length >= 3; length -= 1) {
    if (!/^\d+$/.test(path[length - 2] ?? '')) continue;
    const taskPath = path.slice(0, length);
    const task = valueAt(definition, taskPath);
    const type = isRecord(task) ? typeOf(task) : undefined;
    if (type === undefined || task === undefined) continue;
    const own = complaints(type, task);
    const issues = deepest(own).map((inner) =>
      problem([...taskPath, ...pathOfPointer(inner)], summaryOf([...(own.get(inner) ?? [])])),
    );
    if (issues.length > 0) return issues;
  }
  return [problem(path, summaryOf([...(said.get(pointer) ?? [])]))];
}

function typeOf(task: Readonly<Record<string, JsonValue>>): string | undefined {
  if (typeof task.call === 'string') return CALL_TYPES[task.call];
  const kinds = Object.keys(TASK_TYPES).filter((kind) => kind in task && !(kind === 'do' && 'for' in task));
  return kinds.length === 1 ? TASK_TYPES[kinds[0] ?? ''] : undefined;
}

function complaints(type: string, value: JsonValue): Complaints {
  const messages = new Map<string, Set<string>>();
  try {
    sdk.validate(type, value);
    return messages;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    for (const line of text.split('\n')) {
      if (line.startsWith('data:')) break;
      const { pointer, message, parameters } = partsOf(line);
      if (message === '') continue;
      const told = messages.get(pointer) ?? new Set();
      messages.set(pointer, told.add(wordsOf(message, parameters)));
    }
    if (messages.size === 0) messages.set('', new Set([text.split('\n', 1)[0]?.slice(0, 500) || 'this is not valid']));
    return messages;
  }
}

/** `- place | rule | message | parameters`, where names of the definition's author may hold anything, separators too. */
function partsOf(line: string): { readonly pointer: string; readonly message: string; readonly parameters: string } {
  const parts = line.replace(/^- /, '').split(' | ');
  const rule = parts.findIndex((part, at) => at > 0 && RULE.test(part));
  const last = parts.findLastIndex((part) => part.startsWith('{') || part === 'undefined');
  if (rule < 0 || last < rule + 2) return { pointer: '', message: '', parameters: '' };
  const joined = (from: number, to?: number) => parts.slice(from, to).join(' | ');
  return { pointer: joined(0, rule), message: joined(rule + 1, last), parameters: joined(last) };
}

/** Of places that lie in each other the deepest: there the writer was closest to something. */
function deepest(said: Complaints): string[] {
  const within = new Set<string>();
  for (const pointer of said.keys())
    for (let at = pointer.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : pointer.lastIndexOf('/', at - 1))
      within.add(pointer.slice(0, at));
  return [...said.keys()].filter((pointer) => !within.has(pointer));
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, JsonValue>>)[key];
  }
  return at;
}

function wordsOf(message: string, parameters: string): string {
  const extra = /"(?:additional|unevaluated)Property":"([^"]*)"/.exec(parameters)?.[1];
  if (extra !== undefined) return `there is no property '${extra}' here`;
  const allowed = /"allowedValues?":(\[.*\]|"[^"]*")/.exec(parameters)?.[1];
  return allowed === undefined ? message : `${message}: ${allowed}`;
}

function summaryOf(messages: readonly string[]): string {
  const concrete = messages.filter((message) => !ALTERNATIVES.test(message));
  const missing = concrete.flatMap((message) => /^must have required property '(.*)'$/.exec(message)?.[1] ?? []);
  // A task has exactly one of these: whoever lacks all of them is told so in one sentence.
  if (missing.length > 3 && missing.length === concrete.length)
    return `one of these is expected: ${[...new Set(missing)].join(', ')}`;
  return (concrete.length === 0 ? messages : concrete).slice(0, 5).join('; ');
}
