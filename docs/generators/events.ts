import { eventV1Schema } from '#schemas/events/versions/v1.ts';
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

/** The page of the V1 event, from its JSON Schema. */
export function eventsPage(): string {
  const { properties } = eventV1Schema as unknown as { readonly properties: Readonly<Record<string, Shape>> };
  const types = properties.event?.oneOf ?? [];
  const sections = types.map((shape) => {
    const name = String(shape.properties?.type?.const ?? '');
    return `## ${name}\n\n${shape.description === undefined ? '' : `${shape.description}\n\n`}${fieldsOf(shape)}`;
  });
  return [
    generatedPage(
      'Events',
      'An event is one JSON object of version `V1`. Every integer is an exact unsigned 64-bit number. Unknown fields are kept.',
    ),
    `## All events\n\n${fieldsOf(eventV1Schema as unknown as Shape)}`,
    ...sections,
  ].join('\n');
}

function fieldsOf({ properties = {}, required = [] }: Shape): string {
  const rows = Object.entries(properties).map(([name, shape]) => [
    `\`${name}\``,
    cell(typeOf(shape)),
    required.includes(name) ? 'yes' : 'no',
    cell(shape.description ?? ''),
  ]);
  return table(['Field', 'Type', 'Required', 'Meaning'], rows);
}

function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const alternatives = shape.oneOf ?? shape.anyOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (shape.items !== undefined) return `list of ${typeOf(shape.items)}`;
  const type = Array.isArray(shape.type) ? shape.type.join(' or ') : String(shape.type ?? 'any');
  return shape.format === undefined ? type : `${type} (${shape.format})`;
}
