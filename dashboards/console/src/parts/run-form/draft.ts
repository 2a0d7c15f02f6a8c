import type { Field } from './field.ts';
import { isRecord, type Json } from './json.ts';
import { RUN_FORM_TEXT } from './text.ts';

const TEXT = RUN_FORM_TEXT.problems;

/** Content of a form: texts as typed, in the structure of the form. */
export type Draft = string | readonly Draft[] | { readonly [name: string]: Draft };

export interface Problem {
  /** Path of the field: names joined by dots. */
  readonly path: string;
  readonly message: string;
}

/** Returns a form with the content of a value, or with its defaults. */
export function draftOf(field: Field, value: Json | undefined = field.preset): Draft {
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(
        field.fields.map((inner) => [
          inner.name,
          draftOf(inner, isRecord(value) && inner.name in value ? (value[inner.name] as Json) : inner.preset),
        ]),
      );
    case 'list':
      return Array.isArray(value) ? value.map((item: Json) => draftOf(field.item, item)) : [];
    case 'choice': {
      const index = value === undefined ? -1 : field.options.findIndex((option) => same(option, value));
      return index >= 0 ? String(index) : field.required && field.options.length === 1 ? '0' : '';
    }
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

/** Returns the value of a form. Undefined for an empty field. `problems` are shown at their fields. */
export function readDraft(field: Field, draft: Draft, path = ''): { value: Json | undefined; problems: Problem[] } {
  const fails = (message: string) => ({ value: undefined, problems: [{ path, message }] });
  if (field.kind === 'object') {
    const drafts = isRecord(draft) ? draft : {};
    const parts = field.fields.map((inner) => {
      const at = path === '' ? inner.name : `${path}.${inner.name}`;
      return [inner.name, readDraft(inner, (drafts[inner.name] as Draft | undefined) ?? '', at)] as const;
    });
    const members = parts.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value] as const]));
    const empty = members.length === 0 && !field.required;
    // An optional object without input is omitted, even if it has required fields.
    if (empty && !parts.some(([, { problems }]) => problems.some(({ message }) => message !== TEXT.required)))
      return { value: undefined, problems: [] };
    return { value: Object.fromEntries(members), problems: parts.flatMap(([, { problems }]) => problems) };
  }
  if (field.kind === 'list') {
    const parts = (Array.isArray(draft) ? draft : []).map((item: Draft, index) =>
      readDraft(field.item, item, `${path}.${index}`),
    );
    if (parts.length === 0 && !field.required) return { value: undefined, problems: [] };
    const problems = parts.flatMap((part) => part.problems);
    if (parts.length < field.minItems) problems.push({ path, message: TEXT.minItems(field.minItems) });
    if (field.maxItems !== undefined && parts.length > field.maxItems)
      problems.push({ path, message: TEXT.maxItems(field.maxItems) });
    return { value: parts.flatMap(({ value }) => (value === undefined ? [] : [value])), problems };
  }
  const text = typeof draft === 'string' ? draft : '';
  if (text === '') return field.required ? fails(TEXT.required) : { value: undefined, problems: [] };
  const read = scalarOf(field, text);
  return 'message' in read ? fails(read.message) : { value: read.value, problems: [] };
}

function scalarOf(
  field: Exclude<Field, { kind: 'object' | 'list' }>,
  text: string,
): { readonly value: Json } | { readonly message: string } {
  switch (field.kind) {
    case 'text': {
      const length = [...text].length;
      if (length < field.minLength) return { message: TEXT.minLength(field.minLength) };
      if (field.maxLength !== undefined && length > field.maxLength)
        return { message: TEXT.maxLength(field.maxLength) };
      return fits(field.pattern, text) ? { value: text } : { message: TEXT.pattern(field.pattern ?? '') };
    }
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) return { message: TEXT.number };
      if (field.integer && !Number.isInteger(value)) return { message: TEXT.integer };
      // Rejects integers that a double cannot represent exactly.
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { message: TEXT.digits };
      if (field.minimum !== undefined && value < field.minimum) return { message: TEXT.minimum(field.minimum) };
      if (field.maximum !== undefined && value > field.maximum) return { message: TEXT.maximum(field.maximum) };
      return { value };
    }
    case 'boolean':
      return { value: text === 'true' };
    case 'choice': {
      const option = field.options[Number(text)];
      return option === undefined ? { message: TEXT.option } : { value: option };
    }
    case 'json':
      try {
        return { value: JSON.parse(text) as Json };
      } catch (error) {
        return { message: error instanceof Error ? error.message : TEXT.json };
      }
  }
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    // The pattern is not valid in JavaScript, so only the server checks it.
    return true;
  }
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
