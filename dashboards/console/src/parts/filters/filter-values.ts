/**
 * Returns the values of a filter in the form of URLs and the API: joined by commas, with `\,` for a comma within a
 * value.
 */
export function splitValues(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ','))
    .filter((part) => part !== '');
}

/** Returns the text of these values; undefined if none exist. */
export function joinValues(values: readonly string[]): string | undefined {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? undefined : distinct.map((value) => value.replaceAll(',', '\\,')).join(',');
}

/** Filters by name. `exclude.…` contains excluded values. */
export type FilterTexts = Readonly<Record<string, string | undefined>>;

/** Returns the filter change that selects only records with this value. */
export function filterFor(name: string, value: string): FilterTexts {
  return { [name]: joinValues([value]), [`exclude.${name}`]: undefined };
}

/** Returns the filter change that additionally excludes records with this value. */
export function filterOut(filters: FilterTexts, name: string, value: string): FilterTexts {
  const key = `exclude.${name}`;
  const wanted = splitValues(filters[name]).filter((one) => one !== value);
  return { [name]: joinValues(wanted), [key]: joinValues([...splitValues(filters[key]), value]) };
}

/** Returns the filter change that removes this value. */
export function withoutValue(filters: FilterTexts, key: string, value: string): FilterTexts {
  return { [key]: joinValues(splitValues(filters[key]).filter((one) => one !== value)) };
}
