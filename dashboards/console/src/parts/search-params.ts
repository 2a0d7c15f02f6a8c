import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';

/** Readers of what stands in an address, which anyone may have written. */
export function textParam(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** The id of a rule; the server knows which rules there are. */
export function ruleIdParam(value: unknown): string | undefined {
  return typeof value === 'string' && RULE_ID_PATTERN.test(value) ? value : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/**
 * A reader for `validateSearch`. The router merges what a reader returns over the raw address, so a value that the reader drops would
 * reach the page unchecked; here it is overwritten.
 */
export function onlyRead<T extends object>(read: (given: Record<string, unknown>) => T) {
  return (given: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])),
    ...read(given),
  });
}

/** Several of a closed set, joined by commas. */
export function choicesParam<T extends string>(value: unknown, choices: readonly T[]): T[] | undefined {
  const named = String(value ?? '').split(',');
  const found = choices.filter((choice) => named.includes(choice));
  return found.length === 0 ? undefined : found;
}
