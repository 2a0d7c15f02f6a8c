/** Bytes of request bodies that may be in memory at once, over all requests. */
export interface ByteBudget {
  /** False when the bytes don't fit; then nothing is taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** A budget of `limit` bytes of which nothing is taken. */
export function createByteBudget(limit: number): ByteBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > limit) return false;
      taken += bytes;
      return true;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}
