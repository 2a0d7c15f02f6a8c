/** Without the properties that are undefined: a filter that was not given is no filter. */
export function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
