/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Completion {
  /** Text to insert. */
  readonly text: string;
  readonly description: string | undefined;
}

export interface Completions {
  readonly items: readonly Completion[];
  /** Start of the text that a completion replaces. */
  readonly from: number;
  readonly to: number;
}

const ITEM = Symbol('item of a list');
type Segment = string | typeof ITEM;

/** Functions of the service, which the language's schema does not contain. */
const FUNCTIONS = ['detection.get', 'detection.list', 'detection.update', 'event.list', 'scraper'].map(
  (name) => `trapline.${name}`,
);
const MAX_DEPTH = 12;
const MAX_ITEMS = 60;

/**
 * Returns what is allowed at a position of a YAML definition, according to the JSON Schema of the language: keys, or
 * the values of a key.
 */
export function completionsAt(text: string, cursor: number, schema: Schema): Completions {
  const begin = text.lastIndexOf('\n', cursor - 1) + 1;
  const line = text.slice(begin, cursor);
  const none = { items: [], from: cursor, to: cursor };
  const value = /^( *(?:- +)*)([\w$.-]+): +(\S*)$/.exec(line);
  const key = /^( *(?:- +)*)([\w$-]*)$/.exec(line);
  const [, prefix = '', name = '', typed = name] = value ?? key ?? [];
  if (value === null && key === null) return none;
  const above = text.slice(0, begin).split('\n').slice(0, -1);
  const { path, siblings } = contextOf(above, prefix);
  const places = path.reduce<Schema[]>((at, segment) => at.flatMap((one) => stepInto(one, segment, schema)), [schema]);
  const parts = places.flatMap((place) => alternatives(place, schema));
  const from = cursor - typed.length;
  const to = cursor + (/^[\w$.-]*/.exec(text.slice(cursor))?.[0].length ?? 0);
  const found =
    value === null
      ? keysOf(parts).filter(({ text: one }) => !siblings.has(one))
      : valuesOf(
          parts.flatMap((part) => stepInto(part, name, schema)).flatMap((part) => alternatives(part, schema)),
          name,
        );
  const items = found
    .filter(({ text: one }) => one.toLowerCase().startsWith(typed.toLowerCase()))
    .map((one) => (value === null ? { ...one, text: `${one.text}: ` } : one));
  return { items: items.slice(0, MAX_ITEMS), from, to };
}

/** Returns the keys and list items around a line, from the root, and the other keys of the same object. */
function contextOf(above: readonly string[], prefix: string): { path: Segment[]; siblings: Set<string> } {
  const path: Segment[] = [];
  const siblings = new Set<string>();
  let column = prefix.length;
  let isFirst = true;
  /** A key after a dash is the first key of a list item. */
  const leaveItem = (lead: string) => {
    const dashes = [...lead.matchAll(/-/g)].map(({ index }) => index);
    for (const dash of dashes.reverse()) {
      path.push(ITEM);
      column = dash + 1;
      isFirst = false;
    }
  };
  leaveItem(prefix);
  for (const line of [...above].reverse()) {
    const [, lead, name] = /^( *(?:- +)*)([^\s:#'"[{][^:]*):(?:\s|$)/.exec(line) ?? [];
    if (lead === undefined || name === undefined) continue;
    if (lead.length === column && isFirst) siblings.add(name);
    if (lead.length === column && lead.includes('-') && isFirst) leaveItem(lead);
    else if (lead.length < column) {
      path.push(name);
      column = lead.length;
      isFirst = false;
      if (lead.includes('-')) leaveItem(lead);
    }
  }
  return { path: path.reverse(), siblings };
}

function stepInto(schema: Schema, segment: Segment, root: Schema): Schema[] {
  return alternatives(schema, root).flatMap((part) => {
    if (segment === ITEM) return isSchema(part.items) ? [part.items] : [];
    const { properties, additionalProperties } = part;
    const own = isSchema(properties) && Object.hasOwn(properties, segment) ? properties[segment] : undefined;
    if (isSchema(own)) return [own];
    return isSchema(additionalProperties) ? [additionalProperties] : [];
  });
}

/** Returns a schema with all schemas that it references or chooses from, as a flat list. */
function alternatives(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > MAX_DEPTH) return [];
  const { $ref, anyOf, oneOf, allOf } = schema;
  const inner = [
    ...(typeof $ref === 'string' ? [referenced($ref, root)] : []),
    ...[anyOf, oneOf, allOf].flatMap((choice) => (Array.isArray(choice) ? (choice as unknown[]) : [])),
    schema.then,
  ];
  return [schema, ...inner.filter(isSchema).flatMap((part) => alternatives(part, root, depth + 1))];
}

function referenced(ref: string, root: Schema): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, name) => (isSchema(at) ? at[name] : undefined), root);
}

function keysOf(parts: readonly Schema[]): Completion[] {
  const found = new Map<string, Completion>();
  for (const { properties } of parts)
    for (const [text, property] of Object.entries(isSchema(properties) ? properties : {}))
      if (!found.has(text)) found.set(text, { text, description: descriptionOf(property) });
  return [...found.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

function valuesOf(parts: readonly Schema[], key: string): Completion[] {
  const values = parts.flatMap(({ enum: many, const: one, type }) => [
    ...(Array.isArray(many) ? (many as unknown[]) : []),
    ...(one === undefined ? [] : [one]),
    ...(type === 'boolean' ? [true, false] : []),
  ]);
  const texts = new Set([...values.map(String), ...(key === 'call' ? FUNCTIONS : [])]);
  return [...texts].map((text) => ({ text, description: undefined }));
}

function descriptionOf(property: unknown): string | undefined {
  if (!isSchema(property)) return undefined;
  const { description, title } = property;
  return typeof description === 'string' ? description : typeof title === 'string' ? title : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
