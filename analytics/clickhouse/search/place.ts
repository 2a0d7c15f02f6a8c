/** Hands out the place of a value in the query: `{q_0:UInt64}`. */
export type Place = (value: unknown, type: string) => string;
