import type { JsonValue } from '../json-value.ts';
import { builtInFunction } from './built-in-functions.ts';
import { durationMs } from './interpreter/durations.ts';
import { get, getText, isList, isObject, type JsonObject, taskItem } from './interpreter/json.ts';
import { kindOf } from './interpreter/run-task.ts';
import type { WorkflowDefinition } from './port.ts';
import { refusalOf, type SupportKey } from './supported.ts';

/** Something in a definition that is not run here: where (names and indexes from the root) and why. */
export interface Refusal {
  readonly path: readonly (string | number)[];
  readonly key: SupportKey;
  readonly message: string;
}

type Path = readonly (string | number)[];
type Names = ReadonlySet<string | undefined>;
const ALONE: Names = new Set();

/**
 * What a definition asks for that is not run here, by the table of `supported.ts`, and references that lead nowhere. Of a definition that has the form of
 * the language; an empty list means that it can be released.
 */
export function checkSupported(definition: WorkflowDefinition): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const use = get(definition, 'use');
  const add = (key: SupportKey, path: Path, detail = ''): void => {
    const reason = refusalOf(key);
    if (reason !== undefined) refusals.push({ path, key, message: detail === '' ? reason : `${detail}: ${reason}` });
  };
  const reference = (kind: string, name: JsonValue | undefined, path: Path): void => {
    if (typeof name === 'string' && get(get(use, kind), name) === undefined) add('reference.unknown', path, name);
  };

  function checkList(tasks: JsonValue | undefined, path: Path): void {
    if (!isList(tasks)) return;
    const names = new Set(tasks.map((item) => taskItem(item)?.name));
    for (const [index, item] of tasks.entries()) {
      const found = taskItem(item);
      if (found === undefined) add('task', [...path, index]);
      else checkTask(found.task, [...path, index, found.name], names);
    }
  }

  function checkTask(task: JsonObject, path: Path, names: Names): void {
    const kind = kindOf(task);
    if (kind === undefined) {
      add('task', path);
      return;
    }
    checkData(task, path);
    reference('timeouts', task.timeout, [...path, 'timeout']);
    directive(task.then, [...path, 'then'], names);
    if (kind === 'do' || kind === 'for') checkList(task.do, [...path, 'do']);
    else if (kind === 'fork') checkBranches(task.fork, [...path, 'fork']);
    else if (kind === 'try') checkTry(task, path);
    else if (kind === 'switch' && isList(task.switch)) {
      for (const [index, item] of task.switch.entries()) {
        const found = taskItem(item);
        if (found !== undefined) directive(found.task.then, [...path, 'switch', index, found.name, 'then'], names);
      }
    } else if (kind === 'raise') reference('errors', get(task.raise, 'error'), [...path, 'raise', 'error']);
    else if (kind === 'listen') checkListen(task, path);
    else if (kind === 'call') checkCall(task, path);
    else if (kind === 'run') checkRun(task.run, [...path, 'run']);
    else if (
      kind === 'wait' &&
      typeof task.wait === 'string' &&
      !task.wait.includes('${') &&
      durationMs(task.wait) === undefined
    )
      add('wait.duration', [...path, 'wait']);
  }

  function directive(next: JsonValue | undefined, path: Path, names: Names): void {
    if (typeof next === 'string' && !['continue', 'exit', 'end'].includes(next) && !names.has(next))
      add('directive.unknown', path, next);
  }

  function checkBranches(fork: JsonValue | undefined, path: Path): void {
    const branches = get(fork, 'branches');
    if (!isList(branches)) return;
    for (const [index, item] of branches.entries()) {
      const found = taskItem(item);
      // Branches have no neighbours to go on with.
      if (found === undefined) add('task', [...path, 'branches', index]);
      else checkTask(found.task, [...path, 'branches', index, found.name], ALONE);
    }
  }

  function checkTry(task: JsonObject, path: Path): void {
    checkList(task.try, [...path, 'try']);
    checkList(get(task.catch, 'do'), [...path, 'catch', 'do']);
    reference('retries', get(task.catch, 'retry'), [...path, 'catch', 'retry']);
  }

  function checkListen(task: JsonObject, path: Path): void {
    const { foreach } = task;
    if (!isObject(foreach)) return;
    checkData(foreach, [...path, 'foreach']);
    checkList(foreach.do, [...path, 'foreach', 'do']);
  }

  function checkCall(task: JsonObject, path: Path): void {
    const { call } = task;
    if (call === 'http')
      checkAuthentication(get(get(task.with, 'endpoint'), 'authentication'), [
        ...path,
        'with',
        'endpoint',
        'authentication',
      ]);
    else if (call === 'grpc' || call === 'openapi' || call === 'asyncapi' || call === 'a2a' || call === 'mcp')
      add(`call.${call}`, [...path, 'call']);
    else if (typeof call !== 'string' || (get(get(use, 'functions'), call) ?? builtInFunction(call)) === undefined)
      add('call.unknown', [...path, 'call'], String(call));
  }

  function checkAuthentication(policy: JsonValue | undefined, path: Path): void {
    reference('authentications', getText(policy, 'use'), [...path, 'use']);
    for (const scheme of ['digest', 'oidc', 'certificate'] as const)
      if (get(policy, scheme) !== undefined) add(`authentication.${scheme}`, [...path, scheme]);
    if (get(policy, 'oauth2') !== undefined) checkOAuth2(get(policy, 'oauth2'), [...path, 'oauth2']);
  }

  function checkOAuth2(policy: JsonValue | undefined, path: Path): void {
    for (const part of ['use', 'username', 'password', 'subject', 'actor', 'issuers'] as const)
      if (get(policy, part) !== undefined) add('authentication.oauth2.part', [...path, part], part);
    const encoding = getText(get(policy, 'request'), 'encoding');
    if (encoding !== undefined && !encoding.startsWith('application/x-www-form-urlencoded'))
      add('authentication.oauth2.part', [...path, 'request', 'encoding'], encoding);
    if (get(policy, 'use') !== undefined) return;
    if (get(policy, 'grant') !== 'client_credentials') add('authentication.oauth2.grant', [...path, 'grant']);
    const client = get(policy, 'client');
    const how = getText(client, 'authentication');
    if (
      get(client, 'id') === undefined ||
      get(client, 'secret') === undefined ||
      get(client, 'assertion') !== undefined
    )
      add('authentication.oauth2.client', [...path, 'client']);
    else if (how !== undefined && how !== 'client_secret_post' && how !== 'client_secret_basic')
      add('authentication.oauth2.client', [...path, 'client', 'authentication'], how);
  }

  function checkRun(run: JsonValue | undefined, path: Path): void {
    const script = get(run, 'script');
    const result = get(run, 'return');
    if (get(run, 'container') !== undefined) add('run.container', [...path, 'container']);
    if (get(run, 'shell') !== undefined) add('run.shell', [...path, 'shell']);
    if (result !== undefined && result !== 'stdout' && result !== 'none') add('run.return', [...path, 'return']);
    if (script === undefined) return;
    const language = get(script, 'language');
    if (language !== undefined && language !== 'js' && language !== 'javascript')
      add('run.script.language', [...path, 'script', 'language'], String(language));
    if (get(script, 'source') !== undefined) add('run.script.source', [...path, 'script', 'source']);
    if (get(run, 'await') === false) add('run.script.await', [...path, 'await']);
  }

  function checkData(of: JsonObject, path: Path): void {
    for (const place of ['input', 'output', 'export'] as const) {
      const schema = get(of[place], 'schema');
      if (get(schema, 'resource') !== undefined) add('schema.resource', [...path, place, 'schema', 'resource']);
      const format = getText(schema, 'format');
      if (format !== undefined && !/^json(:|$)/.test(format))
        add('schema.format', [...path, place, 'schema', 'format']);
    }
  }

  checkData(definition, []);
  reference('timeouts', definition.timeout, ['timeout']);
  if (isList(get(use, 'extensions')) || isObject(get(use, 'extensions'))) add('use.extensions', ['use', 'extensions']);
  if (get(use, 'catalogs') !== undefined) add('use.catalogs', ['use', 'catalogs']);
  const language = getText(definition.evaluate, 'language');
  if (language !== undefined && language !== 'jq') add('evaluate.language', ['evaluate', 'language'], language);
  if (getText(definition.evaluate, 'mode') === 'loose') add('evaluate.mode', ['evaluate', 'mode']);
  for (const [name, policy] of entriesOf(get(use, 'authentications')))
    checkAuthentication(policy, ['use', 'authentications', name]);
  // A function is one task; there is no next task in it.
  for (const [name, task] of entriesOf(get(use, 'functions')))
    if (isObject(task)) checkTask(task, ['use', 'functions', name], ALONE);
  checkList(definition.do, ['do']);
  return refusals;
}

const entriesOf = (value: JsonValue | undefined): [string, JsonValue][] =>
  isObject(value) ? Object.entries(value) : [];
