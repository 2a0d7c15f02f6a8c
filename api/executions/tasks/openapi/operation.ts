import { get, getText, isList, isObject, type JsonObject } from '../../engine/interpreter/json.ts';
import type { JsonValue } from '../../json-value.ts';
import { resolveReference } from '../documents/resolve-reference.ts';
import { OpenApiProblem } from './problem.ts';

/** A parameter of an operation, of either version of OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /**
   * How lists and objects are serialized: `style` of version 3, or the equivalent of `collectionFormat` in version 2.
   */
  readonly style: string;
  readonly explode: boolean;
  /** True if the value is JSON text (`content` of version 3). */
  readonly json: boolean;
}

export interface Operation {
  readonly method: string;
  /** Address of the server with the path, with `{name}` for parameters. */
  readonly address: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly types: readonly string[] };
}

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch'] as const;

/** Finds an operation by id. `source`: the address of the document, which relative server addresses refer to. */
export function findOperation(document: JsonValue, operationId: string, source: string): Operation {
  const version2 = getText(document, 'swagger')?.startsWith('2.') === true;
  if (!version2 && getText(document, 'openapi')?.startsWith('3.') !== true)
    throw new OpenApiProblem('configuration', 'the document is not an OpenAPI document of version 2.0 or 3');
  const resolve = (value: JsonValue | undefined) =>
    resolveReference(document, value, (message) => new OpenApiProblem('configuration', message));
  for (const [path, given] of Object.entries(objectOf(get(document, 'paths')))) {
    const item = resolve(given);
    for (const method of METHODS) {
      const operation = get(item, method);
      if (getText(operation, 'operationId') !== operationId) continue;
      const parameters = parametersOf([get(item, 'parameters'), get(operation, 'parameters')], resolve);
      const body = version2
        ? bodyOf2(document, operation, parameters)
        : bodyOf3(resolve(get(operation, 'requestBody')));
      const server = version2 ? serverOf2(document, operation, source) : serverOf3([operation, item, document], source);
      return {
        method: method.toUpperCase(),
        address: server.replace(/\/+$/, '') + path,
        parameters: parameters.map((each) => parameterOf(each, version2)),
        ...(body === undefined ? {} : { body }),
      };
    }
  }
  throw new OpenApiProblem('configuration', 'the document has no operation with this id');
}

/** Returns the parameters of an operation. They override those of its path with the same name and location. */
function parametersOf(
  lists: readonly (JsonValue | undefined)[],
  resolve: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const list of lists)
    for (const given of isList(list) ? list : []) {
      const parameter = resolve(given);
      if (isObject(parameter)) found.set(`${getText(parameter, 'in')} ${getText(parameter, 'name')}`, parameter);
    }
  return [...found.values()];
}

const COLLECTION_STYLES: Readonly<Record<string, string>> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };

function parameterOf(parameter: JsonObject, version2: boolean): Parameter {
  const place = getText(parameter, 'in') ?? '';
  const format = getText(parameter, 'collectionFormat') ?? 'csv';
  const defaultStyle = place === 'query' || place === 'cookie' || place === 'formData' ? 'form' : 'simple';
  const style = version2 ? (COLLECTION_STYLES[format] ?? defaultStyle) : (getText(parameter, 'style') ?? defaultStyle);
  const explode = get(parameter, 'explode');
  return {
    name: getText(parameter, 'name') ?? '',
    in: place,
    required: get(parameter, 'required') === true,
    style,
    explode: version2 ? format === 'multi' : typeof explode === 'boolean' ? explode : style === 'form',
    json: get(parameter, 'content') !== undefined,
  };
}

function bodyOf2(document: JsonValue, operation: JsonValue | undefined, parameters: readonly JsonObject[]) {
  const body = parameters.find((each) => getText(each, 'in') === 'body');
  const form = parameters.some((each) => getText(each, 'in') === 'formData');
  if (body === undefined && !form) return undefined;
  const consumes = get(operation, 'consumes') ?? get(document, 'consumes');
  const types = isList(consumes) ? consumes.filter((type) => typeof type === 'string') : [];
  const usual = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: get(body, 'required') === true, types: types.length === 0 ? [usual] : types };
}

function bodyOf3(body: JsonValue | undefined) {
  if (!isObject(body)) return undefined;
  return { required: get(body, 'required') === true, types: Object.keys(objectOf(get(body, 'content'))) };
}

function serverOf2(document: JsonValue, operation: JsonValue | undefined, source: string): string {
  const from = URL.parse(source);
  const schemes = get(operation, 'schemes') ?? get(document, 'schemes');
  const offered = isList(schemes) ? schemes.filter((scheme) => scheme === 'https' || scheme === 'http') : [];
  const own = from?.protocol.replace(':', '') ?? 'https';
  const scheme = offered.length === 0 || offered.some((each) => each === own) ? own : String(offered[0]);
  return `${scheme}://${getText(document, 'host') ?? from?.host ?? ''}${getText(document, 'basePath') ?? ''}`;
}

/** Returns the first server of the innermost element with servers. Variables have their default values. */
function serverOf3(parts: readonly (JsonValue | undefined)[], source: string): string {
  const servers = parts.map((part) => get(part, 'servers')).find((list) => isList(list) && list.length > 0);
  const server = isList(servers) ? servers[0] : undefined;
  const variables = get(server, 'variables');
  const text = (getText(server, 'url') ?? '/').replace(/\{([^{}]+)\}/g, (_all, name: string) =>
    String(get(get(variables, name), 'default') ?? ''),
  );
  const url = URL.parse(text, source);
  if (url === null) throw new OpenApiProblem('configuration', 'the address of the server is malformed');
  return url.href;
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
