import { eventV1Schema } from '#schemas/events/versions/v1.ts';
import { FIELD_MEANINGS, TYPE_MEANINGS } from './event-meanings.ts';
import { cell, generatedPage, table } from './markdown.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly oneOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
}

/** The page of the V1 event, from its JSON Schema. Throws if a field or type has no meaning. */
export function eventsPage(): string {
  const { properties } = eventV1Schema as unknown as { readonly properties: Readonly<Record<string, Shape>> };
  const types = new Map((properties.event?.oneOf ?? []).map((shape) => [String(shape.properties?.type?.const), shape]));
  const names = Object.keys(TYPE_MEANINGS);
  const missing = [...types.keys()].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`event-meanings.ts has no meaning of ${missing.join(', ')}`);
  const sections = names.map((name) => {
    const shape = types.get(name);
    if (shape === undefined) throw new Error(`the schema has no type ${name}`);
    return `## ${name}\n\n${TYPE_MEANINGS[name]}\n\n${fieldsOf(shape, name)}`;
  });
  return [
    generatedPage('Events', INTRODUCTION),
    `## All events\n\n${fieldsOf(eventV1Schema as unknown as Shape, '')}`,
    ...sections,
  ].join('\n');
}

const INTRODUCTION = `An event is one JSON object of version \`V1\`. The [guide for detector authors](../guides/detector-author.md) shows one, and how to check and send it.

- Every integer is an exact unsigned 64-bit number: write all digits.
- Values are not converted: the text \`"4711"\` is not a number.
- Unknown fields are kept. A field that is not required may be left out.
- Events from other sources than the kernel also have \`witness\`: see [other log sources](../guides/detector-author.md#other-log-sources).`;

function fieldsOf(shape: Shape, type: string): string {
  return table(['Field', 'Meaning', 'Required', 'Type'], rowsOf(shape, { type, prefix: '' }));
}

/** Returns a row for each field, and after an object the rows of its members. The types of events have their own tables. */
function rowsOf(shape: Shape, { type, prefix }: { readonly type: string; readonly prefix: string }): string[][] {
  return Object.entries(membersOf(shape)).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const required = (shape.required ?? []).includes(name);
    const row = [
      `\`${path}\``,
      cell(member.description ?? meaningOf(path, type)),
      required ? 'yes' : 'no',
      cell(typeOf(member)),
    ];
    return type === '' ? [row] : [row, ...rowsOf(member, { type, prefix: `${path}.` })];
  });
}

/** Returns the members of an object, or those of all its variants. */
function membersOf({ properties, oneOf = [] }: Shape): Readonly<Record<string, Shape>> {
  if (properties !== undefined) return properties;
  const named = oneOf.flatMap((variant) => Object.entries(variant.properties ?? {}));
  const variants = Map.groupBy(named, ([name]) => name);
  return Object.fromEntries(
    Array.from(variants, ([name, found]) => [name, { oneOf: found.map(([, variant]) => variant) }]),
  );
}

function meaningOf(path: string, type: string): string {
  const meaning = FIELD_MEANINGS[`${type}.${path}`] ?? FIELD_MEANINGS[path];
  if (meaning === undefined) throw new Error(`event-meanings.ts has no meaning of ${path} in ${type}`);
  return meaning;
}

function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const alternatives = shape.oneOf ?? shape.anyOf;
  if (alternatives !== undefined && shape.properties === undefined)
    return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (shape.items !== undefined) return `list of ${typeOf(shape.items)}`;
  const type = Array.isArray(shape.type) ? shape.type.join(' or ') : String(shape.type ?? 'any');
  return shape.format === undefined ? type : `${type} (${shape.format})`;
}
