import { type Document, operationsOf, type Parameter, type Schema } from '#api/http/description/document.ts';

const HEADER = `"""Bodies, filters and queries of the API, generated from its OpenAPI description. Not to be edited: see test/api/http/description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Union

from pydantic import Field
from typing_extensions import Required, TypedDict

from .base import Model

`;

/** Keywords of Python, and attributes of every pydantic model. */
const TAKEN = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False copy json dict schema validate construct fields register mro'.split(
    ' ',
  ),
);

/**
 * Generates a Python module: a pydantic model for each response, a TypedDict for each JSON body and each query of a
 * list.
 */
export function pythonModels(document: Document): string {
  const writer = createWriter();
  const bodies = new Set<string>();
  for (const { operation } of operationsOf(document)) {
    const reference = operation.requestBody?.content['application/json']?.schema?.$ref;
    if (reference !== undefined) bodies.add(nameOf(reference));
  }
  for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
    if (!bodies.has(name)) writer.model(name, schema);
    else writer.body(name, schema);
  for (const { operation } of operationsOf(document)) {
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query' && /^\w+$/.test(one.name));
    if (query.length > 0) writer.query(`${capitalized(operation.operationId ?? '')}Query`, query);
  }
  return HEADER + writer.text();
}

function createWriter() {
  const blocks: string[] = [];

  /** `name`: class name for an inline object. */
  function typeOf(schema: Schema, name: string): string {
    const type = bareTypeOf(schema, name);
    return schema.nullable === true && type !== 'Any' ? `${type} | None` : type;
  }

  function bareTypeOf(schema: Schema, name: string): string {
    const { $ref, allOf, anyOf, oneOf, type, enum: words, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return nameOf($ref);
    if (allOf?.length === 1 && allOf[0] !== undefined) return typeOf(allOf[0], name);
    const options = anyOf ?? oneOf;
    if (options !== undefined) {
      const types = [...new Set(options.map((option, at) => typeOf(option, `${name}Option${at + 1}`)))];
      return types.includes('Any') ? 'Any' : types.length === 1 ? String(types[0]) : `Union[${types.join(', ')}]`;
    }
    if (words !== undefined)
      return `Literal[${words
        .filter((word) => word !== null)
        .map((word) => (typeof word === 'boolean' ? (word ? 'True' : 'False') : JSON.stringify(word)))
        .join(', ')}]`;
    if (type === 'string') return 'str';
    if (type === 'integer') return 'int';
    if (type === 'number') return 'float';
    if (type === 'boolean') return 'bool';
    if (type === 'array') return `list[${typeOf(items ?? {}, `${name}Item`)}]`;
    if (properties !== undefined && Object.keys(properties).length > 0) {
      model(name, { ...schema, nullable: false });
      return name;
    }
    if (type === 'object')
      return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`) : 'Any'}]`;
    return 'Any';
  }

  function model(name: string, schema: Schema): void {
    const { properties, required = [], description } = schema;
    if (properties === undefined) {
      blocks.push(`${name} = ${typeOf(schema, `${name}Value`)}\n`);
      return;
    }
    const lines = Object.entries(properties).map(([key, property]) => {
      const { field, aliased } = fieldOf(key);
      const type = typeOf(property, name + capitalized(key));
      const optional = !required.includes(key);
      const whole = optional && !type.endsWith('| None') && type !== 'Any' ? `${type} | None` : type;
      const alias = aliased ? `alias=${JSON.stringify(key)}` : '';
      const value = optional
        ? alias === ''
          ? ' = None'
          : ` = Field(default=None, ${alias})`
        : alias === ''
          ? ''
          : ` = Field(${alias})`;
      return { text: `    ${field}: ${whole}${value}\n${documentation(property.description)}`, optional };
    });
    const body = lines.map(({ text }) => text).join('');
    blocks.push(`class ${name}(Model):\n${documentation(description)}${body || '    pass\n'}`);
  }

  function body(name: string, schema: Schema): void {
    const { properties = {}, required = [], anyOf, oneOf } = schema;
    if (anyOf !== undefined || oneOf !== undefined || Object.keys(properties).length === 0) {
      blocks.push(`${name} = Mapping[str, Any]\n`);
      return;
    }
    const lines = Object.entries(properties).map(([key, property]) => {
      const type = givenTypeOf(property);
      return `    ${fieldOf(key).field}: ${required.includes(key) ? `Required[${type}]` : type}\n${documentation(property.description)}`;
    });
    blocks.push(`class ${name}(TypedDict, total=False):\n${lines.join('')}`);
  }

  /** Input types: objects as mappings with the wire names. */
  function givenTypeOf(schema: Schema): string {
    const { $ref, allOf, anyOf, oneOf, type, format, enum: words, items, nullable } = schema;
    const none = nullable === true ? ' | None' : '';
    if ($ref !== undefined || allOf !== undefined) return `Mapping[str, Any]${none}`;
    if (anyOf !== undefined || oneOf !== undefined) return 'Any';
    if (type === 'string' && format === 'date-time') return `str | datetime${none}`;
    if (words !== undefined || (type !== undefined && !['array', 'object'].includes(type))) return typeOf(schema, '');
    if (type === 'array') return `Sequence[${givenTypeOf(items ?? {})}]${none}`;
    return type === 'object' ? `Mapping[str, Any]${none}` : 'Any';
  }

  function query(name: string, parameters: readonly Parameter[]): void {
    const lines = parameters
      .filter((one) => one.name !== 'wait_for_completion')
      .map(({ name: key, schema, description }) => {
        const { type, enum: words } = schema;
        const text = words === undefined ? 'str | Sequence[str] | datetime' : typeOf(schema, '');
        const given = type === 'string' || words !== undefined ? text : bareTypeOf(schema, name);
        return `    ${fieldOf(key).field}: ${given} | None\n${documentation(description)}`;
      });
    blocks.push(`class ${name}(TypedDict, total=False):\n${lines.join('') || '    pass\n'}`);
  }

  return { model, body, query, text: () => blocks.join('\n\n') };
}

/** A wire name as a field. `aliased`: it cannot be derived from the field name. */
function fieldOf(key: string): { readonly field: string; readonly aliased: boolean } {
  const snake = key
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^_+/, '');
  const field = TAKEN.has(snake) || snake.startsWith('model_') ? `${snake}_` : snake;
  const camel = field.replace(/_$/, '').replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return { field, aliased: field !== snake || camel !== key || /_[0-9]/.test(field) };
}

function documentation(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  return `    """${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, "'")}"""\n`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function capitalized(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}
