import { InvalidArgumentError } from 'commander';

/** Parses an option in whole seconds, at least 1. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Must be a whole number of seconds.');
  return value;
}
