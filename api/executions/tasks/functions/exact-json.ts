import type { JsonValue } from '../../json-value.ts';

/** JSON as executions have it: integers that JavaScript would round are hexadecimal text, like addresses everywhere a browser reads them. */
export function exactJson(value: unknown): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? `0x${BigInt.asUintN(64, inner).toString(16)}` : inner,
    ),
  ) as JsonValue;
}
