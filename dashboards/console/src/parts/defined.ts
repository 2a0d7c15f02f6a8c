export type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Without members that are undefined: they would stand in an address, and are not the same as absent to the types of a call. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
