import type { JsonValue } from '../../json-value.ts';

/**
 * Converts a value to the JSON form of executions: integers that JavaScript would round become hexadecimal strings,
 * like addresses in all browser responses.
 */
export function exactJson(value: unknown): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? `0x${BigInt.asUintN(64, inner).toString(16)}` : inner,
    ),
  ) as JsonValue;
}
