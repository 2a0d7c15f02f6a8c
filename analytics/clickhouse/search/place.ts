/** Registers a value and returns its parameter in the query: `{q_0:UInt64}`. */
export type Place = (value: unknown, type: string) => string;
