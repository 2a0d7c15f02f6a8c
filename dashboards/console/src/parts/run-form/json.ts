/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
