/** The values of a filter, as addresses and the API have them: joined by commas, `\,` for a comma within a value. */
export function splitValues(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ','))
    .filter((part) => part !== '');
}

/** The text of these values; undefined for none. */
export function joinValues(values: readonly string[]): string | undefined {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? undefined : distinct.map((value) => value.replaceAll(',', '\\,')).join(',');
}

/** Filters by name, and under `exclude.…` by what they leave out. */
export type FilterTexts = Readonly<Record<string, string | undefined>>;

/** The change of filters that leaves records with this value only. */
export function filterFor(name: string, value: string): FilterTexts {
  return { [name]: joinValues([value]), [`exclude.${name}`]: undefined };
}

/** The change of filters that also leaves out records with this value. */
export function filterOut(filters: FilterTexts, name: string, value: string): FilterTexts {
  const key = `exclude.${name}`;
  const wanted = splitValues(filters[name]).filter((one) => one !== value);
  return { [name]: joinValues(wanted), [key]: joinValues([...splitValues(filters[key]), value]) };
}

/** The change of filters without this value. */
export function withoutValue(filters: FilterTexts, key: string, value: string): FilterTexts {
  return { [key]: joinValues(splitValues(filters[key]).filter((one) => one !== value)) };
}
