import { type Filter, type FilterValue, parseFilter } from './filter/parse-filter.ts';
import { ScimError } from './scim-error.ts';

/** A resource as JSON. Attribute names have the spelling of the schema. */
export type Json = Readonly<Record<string, unknown>>;

export interface PatchOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

/** Target of an operation: `members`, `name.givenName`, `emails[type eq "work"].value`. */
interface Target {
  readonly attribute: string;
  readonly filter: Filter | undefined;
  readonly sub: string | undefined;
}

/**
 * Applies the operations of a PATCH (RFC 7644, section 3.5.2) to a resource. Also accepts the requests of Entra ID and
 * Okta:
 * - `Add` with a capital letter
 * - dotted names in the object of an operation without a path
 * - `members` to remove as a value
 * - a single object instead of a list
 *
 * @throws ScimError
 */
export function applyPatch(resource: Json, operations: readonly PatchOperation[]): Json {
  return operations.reduce(applyOperation, resource);
}

function applyOperation(resource: Json, { op, path, value }: PatchOperation): Json {
  const kind = op.toLowerCase();
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    throw new ScimError(400, `op must be add, replace or remove (got "${op}")`, 'invalidSyntax');
  if (path === undefined || path === '') {
    if (kind === 'remove') throw new ScimError(400, 'remove needs a path', 'noTarget');
    if (!isObject(value))
      throw new ScimError(400, 'an operation without path needs an object as value', 'invalidSyntax');
    return Object.entries(value).reduce<Json>(
      (changed, [name, inner]) => applyAt(changed, kind, targetOf(name), inner),
      resource,
    );
  }
  return applyAt(resource, kind, targetOf(path), value);
}

/**
 * Parses the path of an operation.
 * @throws ScimError invalidPath
 */
function targetOf(path: string): Target {
  const match = /^(?:urn:[^[\]\s]+:)?([A-Za-z$][\w$-]*)(?:\[(.+)\])?(?:\.([A-Za-z$][\w$-]*))?$/i.exec(path.trim());
  const [, attribute, filter, sub] = match ?? [];
  // The URN of an extension refers to all its attributes, none of which is stored.
  if (attribute === undefined && /^urn:/i.test(path))
    return { attribute: '$extension', filter: undefined, sub: undefined };
  if (attribute === undefined) throw new ScimError(400, `"${path}" is not a path`, 'invalidPath');
  return { attribute, filter: filter === undefined ? undefined : parseFilter(filter), sub };
}

function applyAt(resource: Json, kind: 'add' | 'replace' | 'remove', target: Target, value: unknown): Json {
  const name = nameIn(resource, target.attribute);
  const current = resource[name];
  const next = changed(current, kind, target, value);
  const { [name]: _, ...others } = resource;
  return next === undefined ? others : { ...others, [name]: next };
}

function changed(current: unknown, kind: 'add' | 'replace' | 'remove', target: Target, value: unknown): unknown {
  const { filter, sub } = target;
  if (Array.isArray(current) || filter !== undefined) return changedList(listOf(current), kind, target, value);
  if (sub !== undefined) {
    const inner = isObject(current) ? current : {};
    const result = applyAt(inner, kind, { attribute: sub, filter: undefined, sub: undefined }, value);
    return Object.keys(result).length === 0 ? undefined : result;
  }
  if (kind === 'remove') return undefined;
  return isObject(current) && isObject(value) ? { ...current, ...value } : value;
}

function changedList(
  list: readonly unknown[],
  kind: 'add' | 'replace' | 'remove',
  target: Target,
  value: unknown,
): unknown {
  const { filter, sub } = target;
  if (filter === undefined && sub === undefined) {
    if (kind === 'replace') return listOf(value);
    if (kind === 'add') return listOf(value).reduce<unknown[]>(withElement, [...list]);
    const gone = value === undefined ? undefined : listOf(value).map(keyOf);
    return gone === undefined ? [] : list.filter((one) => !gone.includes(keyOf(one)));
  }
  const fits = (one: unknown) => filter === undefined || matches(filter, isObject(one) ? one : { value: one });
  if (kind === 'remove' && sub === undefined) return list.filter((one) => !fits(one));
  const change = (one: unknown): unknown => {
    const element = isObject(one) ? one : { value: one };
    if (sub !== undefined) return applyAt(element, kind, { attribute: sub, filter: undefined, sub: undefined }, value);
    return isObject(value) ? { ...element, ...value } : { ...element, value };
  };
  if (list.some(fits)) return list.map((one) => (fits(one) ? change(one) : one));
  // For `add` and `replace`, Entra ID expects a new element if no element matches the filter.
  if (kind === 'remove') return list;
  return [...list, change(elementOf(filter))];
}

/** Returns the element that a filter of equalities describes. */
function elementOf(filter: Filter | undefined): Json {
  if (filter?.kind === 'compare' && filter.operator === 'eq') return { [filter.attribute]: filter.value };
  if (filter?.kind === 'and') return Object.assign({}, ...filter.filters.map(elementOf));
  return {};
}

function withElement(list: unknown[], element: unknown): unknown[] {
  return list.some((one) => keyOf(one) === keyOf(element)) ? list : [...list, element];
}

function keyOf(element: unknown): string {
  return JSON.stringify(isObject(element) ? (element[nameIn(element, 'value')] ?? element) : element);
}

/** True if an element of a list matches a filter. */
function matches(filter: Filter, element: Json): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((one) => matches(one, element));
    case 'or':
      return filter.filters.some((one) => matches(one, element));
    case 'not':
      return !matches(filter.filter, element);
    case 'element':
      return false;
    case 'present':
      return (element[nameIn(element, filter.attribute)] ?? null) !== null;
    case 'compare':
      return compares(element[nameIn(element, filter.attribute)], filter.operator, filter.value);
  }
}

function compares(actual: unknown, operator: string, expected: FilterValue): boolean {
  const fold = (one: unknown) => (typeof one === 'string' ? one.toLowerCase() : (one ?? null));
  const [left, right] = [fold(actual), fold(expected)];
  if (operator === 'eq') return left === right || String(left) === String(right);
  if (operator === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const order = left < right ? -1 : left > right ? 1 : 0;
  const results: Readonly<Record<string, boolean>> = {
    co: left.includes(right),
    sw: left.startsWith(right),
    ew: left.endsWith(right),
    gt: order > 0,
    ge: order >= 0,
    lt: order < 0,
    le: order <= 0,
  };
  return results[operator] === true;
}

/** Returns the spelling of an attribute name in the resource. */
function nameIn(resource: Json, attribute: string): string {
  return Object.keys(resource).find((name) => name.toLowerCase() === attribute.toLowerCase()) ?? attribute;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
