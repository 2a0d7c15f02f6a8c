/** One field of an entry's diff, as text; undefined without a value. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the changes of an entry, one per field. Entries that record a fact instead of a change have only `after`. */
export function changesOf(diff: Readonly<Record<string, unknown>>): FieldChange[] {
  return Object.entries(diff).map(([field, value]) =>
    isChange(value)
      ? { field, before: textOf(value.before), after: textOf(value.after) }
      : { field, before: undefined, after: textOf(value) },
  );
}

function isChange(value: unknown): value is { readonly before?: unknown; readonly after?: unknown } {
  return typeof value === 'object' && value !== null && ('before' in value || 'after' in value);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
