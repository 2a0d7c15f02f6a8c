/** Readers of what stands in an address, which anyone may have written. */
export function textParam(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Several of a closed set, joined by commas. */
export function choicesParam<T extends string>(value: unknown, choices: readonly T[]): T[] | undefined {
  const named = String(value ?? '').split(',');
  const found = choices.filter((choice) => named.includes(choice));
  return found.length === 0 ? undefined : found;
}
