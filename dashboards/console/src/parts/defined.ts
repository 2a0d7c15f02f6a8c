export type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/**
 * Removes undefined members. They would appear in URLs, and the types of calls distinguish them from absent members.
 */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
