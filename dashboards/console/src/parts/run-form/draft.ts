import type { Field } from './field.ts';
import { isRecord, type Json } from './json.ts';

/** What stands in the fields of a form: texts as they were typed, in the shape of the form. */
export type Draft = string | readonly Draft[] | { readonly [name: string]: Draft };

export interface Problem {
  /** Names that lead to the field, joined by dots. */
  readonly path: string;
  readonly message: string;
}

/** A form with this in it; without a value, its presets. */
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

/** What a form says; undefined for a field that is left empty. `problems` are told at their fields. */
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
    // Nothing was said about an object that may be left out: what it would need is not asked for.
    if (empty && !parts.some(([, { problems }]) => problems.some(({ message }) => message !== NEEDED)))
      return { value: undefined, problems: [] };
    return { value: Object.fromEntries(members), problems: parts.flatMap(([, { problems }]) => problems) };
  }
  if (field.kind === 'list') {
    const parts = (Array.isArray(draft) ? draft : []).map((item: Draft, index) =>
      readDraft(field.item, item, `${path}.${index}`),
    );
    if (parts.length === 0 && !field.required) return { value: undefined, problems: [] };
    const problems = parts.flatMap((part) => part.problems);
    if (parts.length < field.minItems) problems.push({ path, message: `at least ${field.minItems} are needed` });
    if (field.maxItems !== undefined && parts.length > field.maxItems)
      problems.push({ path, message: `at most ${field.maxItems} are taken` });
    return { value: parts.flatMap(({ value }) => (value === undefined ? [] : [value])), problems };
  }
  const text = typeof draft === 'string' ? draft : '';
  if (text === '') return field.required ? fails(NEEDED) : { value: undefined, problems: [] };
  const read = scalarOf(field, text);
  return 'message' in read ? fails(read.message) : { value: read.value, problems: [] };
}

const NEEDED = 'this is needed';

function scalarOf(
  field: Exclude<Field, { kind: 'object' | 'list' }>,
  text: string,
): { readonly value: Json } | { readonly message: string } {
  switch (field.kind) {
    case 'text': {
      const length = [...text].length;
      if (length < field.minLength) return { message: `at least ${field.minLength} characters are needed` };
      if (field.maxLength !== undefined && length > field.maxLength)
        return { message: `at most ${field.maxLength} characters are taken` };
      return fits(field.pattern, text) ? { value: text } : { message: `the form ${field.pattern} is expected` };
    }
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) return { message: 'a number is expected' };
      if (field.integer && !Number.isInteger(value)) return { message: 'a whole number is expected' };
      // What a browser would round is not sent as something else than what was typed.
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { message: 'the number has too many digits' };
      if (field.minimum !== undefined && value < field.minimum) return { message: `at least ${field.minimum}` };
      if (field.maximum !== undefined && value > field.maximum) return { message: `at most ${field.maximum}` };
      return { value };
    }
    case 'boolean':
      return { value: text === 'true' };
    case 'choice': {
      const option = field.options[Number(text)];
      return option === undefined ? { message: 'one of the list is expected' } : { value: option };
    }
    case 'json':
      try {
        return { value: JSON.parse(text) as Json };
      } catch (error) {
        return { message: error instanceof Error ? error.message : 'JSON is expected' };
      }
  }
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    // Not one of ours: the server decides.
    return true;
  }
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
