import type { JsonValue } from '../../json-value.ts';
import type { EngineFeatures } from '../contract/engine-features.ts';
import type { WorkflowDefinition } from '../contract/port.ts';
import { get, getText, isList, isObject, type JsonObject, taskItem } from '../interpreter/json.ts';
import { kindOf, taskKind } from '../kind-registry.ts';
import type { TaskChecker } from '../task-kind.ts';
import { builtInFunction } from './built-in-functions.ts';
import { checkOAuth2 } from './check-oauth2.ts';
import { type GeneralRefusal, REFUSALS } from './supported.ts';

/**
 * An unsupported part of a definition: its path (names and indexes from the root), a key of `REFUSALS`, and the reason.
 */
export interface Refusal {
  readonly path: Path;
  readonly key: string;
  readonly message: string;
}

type Path = readonly (string | number)[];
type Names = ReadonlySet<string | undefined>;
/** Use this for definitions whose features the worker checks when it runs a task. */
const ALL_FEATURES: EngineFeatures = { shell: true, containers: true };
/** Matches an HTTP address, or an address that begins with a value of the input. */
const REQUESTED = /^(?:https?:\/\/|\{)|\$\{/i;
/** Schemes whose values a secret may contain. */
const SECRET_SCHEMES = ['basic', 'bearer', 'digest', 'oauth2', 'oidc', 'certificate'];
/** Task names that a branch or function may jump to: none. */
const ALONE: Names = new Set();

/**
 * Returns the unsupported parts of a definition and its dangling references. The definition must be valid by the schema
 * of the language. It can be released if the list is empty. Long: its functions share the list of refusals and the
 * names under `use`.
 */
export function checkSupported(
  definition: WorkflowDefinition,
  features: EngineFeatures = ALL_FEATURES,
): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const use = get(definition, 'use');
  const declared = get(use, 'secrets');
  const secrets = isList(declared) ? declared : [];
  const refuse = (key: string, path: Path, detail = ''): void => {
    const reason = REFUSALS.get(key);
    if (reason === undefined) throw new RangeError(`unknown refusal ${key}`);
    refusals.push({ path, key, message: detail === '' ? reason : `${detail}: ${reason}` });
  };
  const add = (key: GeneralRefusal, path: Path, detail?: string): void => refuse(key, path, detail);
  const reference = (group: string, name: JsonValue | undefined, path: Path): void => {
    if (typeof name === 'string' && get(get(use, group), name) === undefined) add('reference.unknown', path, name);
  };
  const functionNamed = (name: string) => get(get(use, 'functions'), name) ?? builtInFunction(name);

  function checkList(tasks: JsonValue | undefined, path: Path, alone = false): void {
    if (!isList(tasks)) return;
    const names = alone ? ALONE : new Set(tasks.map((item) => taskItem(item)?.name));
    for (const [index, item] of tasks.entries()) {
      const found = taskItem(item);
      if (found === undefined) add('task', [...path, index]);
      else checkTask(found.task, [...path, index, found.name], names);
    }
  }

  function checkTask(task: JsonObject, path: Path, names: Names): void {
    const key = kindOf(task);
    if (key === undefined) {
      add('task', path);
      return;
    }
    const kind = taskKind(key);
    const at = (inner: Path): Path => [...path, ...inner];
    const checker: TaskChecker<string> = {
      refuse: (name, inner, detail) => refuse(`${key}.${name}`, at(inner), detail),
      reference: (group, name, inner) => reference(group, name, at(inner)),
      directive: (next, inner) => directive(next, at(inner), names),
      data: (of, inner) => checkData(of, at(inner)),
      authentication: (policy, inner) => checkAuthentication(policy, at(inner)),
      endpoint: (endpoint, inner) => checkEndpoint(endpoint, at(inner)),
      features,
      functionNamed,
      catalogNamed: (name) => get(get(use, 'catalogs'), name),
    };
    checker.data(task, []);
    checker.reference('timeouts', task.timeout, ['timeout']);
    checker.directive(task.then, ['then']);
    kind.check?.(task, checker);
    for (const { keys, tasks, alone } of kind.lists?.(task) ?? []) checkList(tasks, at(keys), alone);
  }

  function directive(next: JsonValue | undefined, path: Path, names: Names): void {
    if (typeof next === 'string' && !['continue', 'exit', 'end'].includes(next) && !names.has(next))
      add('directive.unknown', path, next);
  }

  function checkAuthentication(policy: JsonValue | undefined, path: Path): void {
    reference('authentications', getText(policy, 'use'), [...path, 'use']);
    for (const scheme of SECRET_SCHEMES) {
      const secret = getText(get(policy, scheme), 'use');
      if (secret !== undefined && !secrets.includes(secret)) add('reference.secret', [...path, scheme, 'use'], secret);
    }
    for (const scheme of ['oauth2', 'oidc'] as const)
      for (const { key, path: inner, detail } of checkOAuth2(get(policy, scheme)))
        add(key, [...path, scheme, ...inner], detail);
  }

  function checkEndpoint(endpoint: JsonValue | undefined, path: Path): void {
    const uri = getText(endpoint, 'uri');
    const address = uri ?? endpoint;
    if (typeof address === 'string' && !REQUESTED.test(address))
      add('endpoint.address', uri === undefined ? path : [...path, 'uri'], address);
    const policy = get(endpoint, 'authentication');
    checkAuthentication(policy, [...path, 'authentication']);
    const named = get(get(use, 'authentications'), getText(policy, 'use') ?? '');
    if (get(named ?? policy, 'certificate') !== undefined && typeof address === 'string' && /^http:/i.test(address))
      add('authentication.certificate', [...path, 'authentication'], address);
  }

  function checkData(of: JsonObject, path: Path): void {
    for (const place of ['input', 'output', 'export'] as const) {
      const schema = get(of[place], 'schema');
      const resource = get(schema, 'resource');
      if (resource !== undefined) checkSchemaResource(resource, [...path, place, 'schema', 'resource']);
      const format = getText(schema, 'format');
      if (format !== undefined && !/^json(:|$)/.test(format))
        add('schema.format', [...path, place, 'schema', 'format']);
    }
  }

  function checkSchemaResource(resource: JsonValue, path: Path): void {
    if (features.schemaResources === false) {
      add('schema.resource', path);
      return;
    }
    const endpoint = get(resource, 'endpoint');
    const address = getText(endpoint, 'uri') ?? endpoint;
    if (typeof address !== 'string' || /[{}]/.test(address)) add('schema.address', [...path, 'endpoint']);
    checkEndpoint(endpoint, [...path, 'endpoint']);
  }

  checkData(definition, []);
  reference('timeouts', definition.timeout, ['timeout']);
  const language = getText(definition.evaluate, 'language');
  if (language !== undefined && language !== 'jq') add('evaluate.language', ['evaluate', 'language'], language);
  for (const [name, policy] of entriesOf(get(use, 'authentications')))
    checkAuthentication(policy, ['use', 'authentications', name]);
  // A function is a single task and has no next task.
  for (const [name, task] of entriesOf(get(use, 'functions')))
    if (isObject(task)) checkTask(task, ['use', 'functions', name], ALONE);
  for (const [name, catalog] of entriesOf(get(use, 'catalogs')))
    checkEndpoint(get(catalog, 'endpoint'), ['use', 'catalogs', name, 'endpoint']);
  const extensions = get(use, 'extensions');
  for (const [index, item] of isList(extensions) ? extensions.entries() : [])
    for (const [name, extension] of entriesOf(item))
      for (const list of ['before', 'after'] as const)
        checkList(get(extension, list), ['use', 'extensions', index, name, list]);
  checkList(definition.do, ['do']);
  return refusals;
}

const entriesOf = (value: JsonValue | undefined): [string, JsonValue][] =>
  isObject(value) ? Object.entries(value) : [];
