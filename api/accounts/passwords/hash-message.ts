/** A task for a hashing thread: hash, or compare with a hash. `digest` is the pre-hash of the secret, never the secret. */
export type HashTask = { readonly digest: string } & ({ readonly cost: number } | { readonly hash: string });

/** Message that ends a hashing thread after it has completed all earlier tasks. */
export const END = 'end';

/** Result of a task: the hash, or whether it matches. */
export type HashAnswer = { readonly value: string | boolean } | { readonly error: string };
