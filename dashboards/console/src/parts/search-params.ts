import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';

/** Returns a search parameter if it is a valid text. URLs may come from anyone. */
export function textParam(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** Returns a rule id. Only the server knows which rules exist. */
export function ruleIdParam(value: unknown): string | undefined {
  return typeof value === 'string' && RULE_ID_PATTERN.test(value) ? value : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/**
 * Returns a reader for `validateSearch`. The router merges the result over the raw search parameters, so a dropped
 * value would reach the page unchecked. This reader overwrites dropped values with undefined.
 */
export function onlyRead<T extends object>(read: (given: Record<string, unknown>) => T) {
  return (given: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])),
    ...read(given),
  });
}

/** Returns several values of a fixed set, joined by commas. */
export function choicesParam<T extends string>(value: unknown, choices: readonly T[]): T[] | undefined {
  const named = String(value ?? '').split(',');
  const found = choices.filter((choice) => named.includes(choice));
  return found.length === 0 ? undefined : found;
}
