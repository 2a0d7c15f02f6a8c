import type { JsonValue } from '../../json-value.ts';
import type { HttpTask } from '../contract/call-task.ts';
import type { SecretText } from '../contract/http-authentication.ts';
import { authenticationOf } from './authentication.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { get, getText, isObject, type JsonObject } from './json.ts';
import { evaluateObject, evaluateValue } from './values.ts';

/** Returns the evaluated arguments of `call: http`. Secrets remain references by name. */
export async function httpTask(step: Step): Promise<HttpTask> {
  const { task, path, frame } = step;
  const args = get(task, 'with');
  const method = await evaluateValue(step, get(args, 'method') ?? null, frame.input);
  if (typeof method !== 'string' || !/^[A-Za-z]{1,20}$/.test(method))
    throw fault('configuration', '`method` must be an HTTP method', path);
  const given = get(args, 'body');
  const authentication = await authenticationOf(step, get(get(args, 'endpoint'), 'authentication'));
  return {
    kind: 'http',
    method: method.toUpperCase(),
    endpoint: await endpointOf(step, get(args, 'endpoint')),
    headers: texts(await evaluateObject(step, get(args, 'headers'), '`headers`'), path),
    query: texts(await evaluateObject(step, get(args, 'query'), '`query`'), path),
    ...(authentication === undefined ? {} : { authentication }),
    body: given === undefined ? undefined : await evaluateValue(step, given, frame.input),
    output: outputFormOf(args, path),
    redirect: get(args, 'redirect') === true,
  };
}

/** Returns which form of the response becomes the output. */
export function outputFormOf(args: JsonValue | undefined, path: string): 'content' | 'response' | 'raw' {
  const output = get(args, 'output') ?? 'content';
  if (output === 'content' || output === 'response' || output === 'raw') return output;
  throw fault('configuration', '`output` must be `content`, `response` or `raw`', path);
}

/**
 * Evaluates an endpoint: an expression, or a URI template whose `{name}` are replaced with escaped values of the input
 * (RFC 6570, level 1).
 */
export async function endpointOf(step: Step, endpoint: JsonValue | undefined): Promise<string> {
  const uri = isObject(endpoint) ? get(endpoint, 'uri') : endpoint;
  if (typeof uri !== 'string') throw fault('configuration', 'the call needs an `endpoint`', step.path);
  const { input } = step.frame;
  if (uri.includes('${')) {
    const value = await evaluateValue(step, uri, input);
    if (typeof value !== 'string') throw fault('expression', 'the endpoint must be a string', step.path);
    return value;
  }
  return uri.replace(/\{([A-Za-z_][\w.-]*)\}/g, (_all, name: string) => {
    const value = get(input, name);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw fault('expression', `the input has no simple value "${name}" for the endpoint`, step.path);
    return encodeURIComponent(value);
  });
}

/** Converts headers or query parameters to strings or secret references. Members that are null are omitted. */
export function texts(values: JsonObject, path: string): Readonly<Record<string, SecretText>> {
  const result: [string, SecretText][] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const secret = getText(value, '$secret');
    if (secret !== undefined) result.push([name, { $secret: secret }]);
    else if (typeof value === 'object') throw fault('configuration', `"${name}" must be a string`, path);
    else result.push([name, String(value)]);
  }
  return Object.fromEntries(result);
}
