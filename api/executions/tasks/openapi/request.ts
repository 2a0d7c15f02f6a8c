import type { HttpTask } from '../../engine/contract/call-task.ts';
import type { SecretText } from '../../engine/contract/http-authentication.ts';
import { get, isList, isObject } from '../../engine/interpreter/json.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Operation, Parameter } from './operation.ts';
import { OpenApiProblem } from './problem.ts';

type Parameters = Readonly<Record<string, JsonValue>>;
/** Headers that an operation cannot define (OpenAPI 3, Parameter Object). */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);
const FORM = 'application/x-www-form-urlencoded';

/**
 * Builds the request of an operation. Declared parameters go to their declared locations. The body is the parameter
 * `body`, or an object of all undeclared parameters.
 */
export function requestOf(
  operation: Operation,
  given: Parameters,
): Pick<HttpTask, 'method' | 'endpoint' | 'headers' | 'query' | 'body'> {
  const parts: Parts = {
    address: operation.address,
    search: new URLSearchParams(),
    headers: {},
    query: {},
    cookies: [],
  };
  const declared = new Set<string>();
  const form = new URLSearchParams();
  let body: JsonValue | undefined;
  for (const parameter of operation.parameters) {
    const { name, required } = parameter;
    declared.add(name);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required || parameter.in === 'path')
        throw new OpenApiProblem('validation', `the parameter ${name} is required`);
      continue;
    }
    if (parameter.in === 'body') body = value;
    else if (parameter.in === 'formData') for (const pair of pairsOf(parameter, value)) form.append(...pair);
    else place(parts, parameter, value);
  }
  // Rejects dot segments in any encoding: normalization would remove them, and the request would reach another
  // operation.
  if (parts.address.split(/[/\\?#]/).some((segment) => segment === '.' || segment === '..'))
    throw new OpenApiProblem('validation', 'path parameters must not form a segment "." or ".."');
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !declared.has(name)));
  if (operation.body !== undefined && body === undefined && form.size === 0)
    body = bodyFrom(rest, operation.body.required);
  else if (Object.keys(rest).length > 0)
    throw new OpenApiProblem('validation', `the operation has no parameter ${Object.keys(rest)[0] ?? ''}`);
  const search = parts.search.toString();
  if (parts.cookies.length > 0) parts.headers.cookie = parts.cookies.join('; ');
  return {
    method: operation.method,
    endpoint: search === '' ? parts.address : `${parts.address}${parts.address.includes('?') ? '&' : '?'}${search}`,
    headers: parts.headers,
    query: parts.query,
    body: encoded(body, form, operation.body?.types ?? [], parts.headers),
  };
}

interface Parts {
  address: string;
  readonly search: URLSearchParams;
  readonly headers: Record<string, SecretText>;
  readonly query: Record<string, SecretText>;
  readonly cookies: string[];
}

function place(parts: Parts, parameter: Parameter, value: JsonValue): void {
  const { name } = parameter;
  const secret = get(value, '$secret');
  switch (parameter.in) {
    case 'query':
      if (typeof secret === 'string') parts.query[name] = { $secret: secret };
      else for (const pair of pairsOf(parameter, value)) parts.search.append(...pair);
      return;
    case 'header':
      if (IGNORED_HEADERS.has(name.toLowerCase())) return;
      parts.headers[name] = typeof secret === 'string' ? { $secret: secret } : simpleText(parameter, value);
      return;
    case 'cookie':
      if (secret !== undefined) throw new OpenApiProblem('configuration', `a secret cannot be the cookie ${name}`);
      for (const [key, text] of pairsOf(parameter, value)) parts.cookies.push(`${key}=${encodeURIComponent(text)}`);
      return;
    case 'path': {
      if (secret !== undefined)
        throw new OpenApiProblem('configuration', `a secret cannot be the path parameter ${name}`);
      const text = simpleText(parameter, value, encodeURIComponent);
      parts.address = parts.address.replaceAll(`{${name}}`, () => text);
      return;
    }
    default:
      throw new OpenApiProblem('configuration', `the parameter ${name} has an unknown location`);
  }
}

/** Serializes the styles `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`. */
function pairsOf({ name, style, explode, json }: Parameter, value: JsonValue): [string, string][] {
  if (json) return [[name, JSON.stringify(value)]];
  if (isList(value)) {
    if (explode) return value.map((item) => [name, textOf(item)]);
    const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
    return [[name, value.map(textOf).join(separator)]];
  }
  if (!isObject(value)) return [[name, textOf(value)]];
  const entries = Object.entries(value).map(([key, inner]): [string, string] => [key, textOf(inner)]);
  if (style === 'deepObject') return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  return explode ? entries : [[name, entries.flat().join(',')]];
}

/** Serializes the style `simple`. The other styles of path parameters add a prefix to the value. */
function simpleText(
  { name, style, explode, json }: Parameter,
  value: JsonValue,
  encode = (text: string) => text,
): string {
  if (json) return encode(JSON.stringify(value));
  const part = (inner: JsonValue) => encode(textOf(inner));
  const separator = style === 'label' ? (explode ? '.' : ',') : style === 'matrix' && explode ? ';' : ',';
  const items = isList(value)
    ? value.map((item) => (style === 'matrix' && explode ? `${name}=${part(item)}` : part(item)))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) =>
          explode ? [`${encode(key)}=${part(inner)}`] : [encode(key), part(inner)],
        )
      : undefined;
  const text = items === undefined ? part(value) : items.join(separator);
  if (style === 'label') return `.${text}`;
  if (style === 'matrix') return explode && items !== undefined ? `;${text}` : `;${name}=${text}`;
  return text;
}

function textOf(value: JsonValue): string {
  if (get(value, '$secret') !== undefined)
    throw new OpenApiProblem('configuration', 'a secret must be a whole value: it cannot be part of a parameter');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyFrom(rest: Parameters, required: boolean): JsonValue | undefined {
  const names = Object.keys(rest);
  if (names.length === 0) {
    if (required) throw new OpenApiProblem('validation', 'the operation requires a body');
    return undefined;
  }
  return names.length === 1 && names[0] === 'body' ? rest.body : rest;
}

/** Encodes the body in the first supported content type of the operation; JSON is preferred. */
function encoded(
  body: JsonValue | undefined,
  form: URLSearchParams,
  types: readonly string[],
  headers: Record<string, SecretText>,
): JsonValue | undefined {
  if (form.size > 0) {
    headers['content-type'] = FORM;
    return form.toString();
  }
  if (body === undefined) return undefined;
  const json = types.find((type) => /[/+]json\b/.test(type)) ?? types.find((type) => type === '*/*');
  if (json !== undefined || types.length === 0) {
    headers['content-type'] = json === undefined || json === '*/*' ? 'application/json' : json;
    // A string must be encoded as JSON here, because `call: http` sends strings unchanged.
    return typeof body === 'string' ? JSON.stringify(body) : body;
  }
  if (types.includes(FORM) && isObject(body)) {
    headers['content-type'] = FORM;
    return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, textOf(value)])).toString();
  }
  const text = types.find((type) => type.startsWith('text/') || /[/+]xml\b/.test(type));
  if (text === undefined || typeof body !== 'string')
    throw new OpenApiProblem('configuration', `a body of the type ${types.join(', ')} cannot be written`);
  headers['content-type'] = text;
  return body;
}
