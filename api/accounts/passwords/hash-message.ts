/** What a hashing thread is asked: to hash, or to compare with a hash. `digest` is the secret's pre-hash, never the secret. */
export type HashTask = { readonly digest: string } & ({ readonly cost: number } | { readonly hash: string });

/** Asks a hashing thread to end once it has answered all that was asked before. */
export const END = 'end';

/** What it answers to a task: the hash, or whether it matches. */
export type HashAnswer = { readonly value: string | boolean } | { readonly error: string };
