/**
 * The sender of a body. The account and the address are limited separately: one account can use many hosts, and one
 * host can use many accounts.
 */
export interface BodyCaller {
  readonly principal: string;
  readonly address: string;
}

/** The share of one request body in the memory budget of all bodies. */
export interface BodyClaim {
  /** Allocates memory for bytes that have arrived. Returns false and allocates nothing if they exceed the budget. */
  take(bytes: number): boolean;
  /** Marks the body as complete. The claim can no longer be revoked. */
  complete(): void;
  /** Releases the claim. Calling it again has no effect. */
  release(): void;
}

/** Memory budget for the request bodies of a process. It counts the bytes that have arrived, not the announced length. */
export interface BodyBudget {
  /**
   * Opens the claim of a body. `revoked` is called when the claim is revoked in favour of a caller that uses less
   * memory. The body must then be refused.
   */
  open(caller: BodyCaller, revoked: () => void): BodyClaim;
}

interface OpenClaim {
  readonly names: readonly string[];
  readonly revoke: () => void;
  bytes: number;
  arriving: boolean;
}

/**
 * Creates a budget of `limit` bytes. One caller can use at most half of it. When the budget is used up, it revokes an
 * incomplete body of the caller with the largest share, if the requesting caller uses less. Stalled uploads, however
 * many, therefore delay only their own sender.
 */
export function createBodyBudget(limit: number): BodyBudget {
  const share = limit / 2;
  const claims = new Set<OpenClaim>();
  const held = new Map<string, number>();
  let total = 0;

  function count(claim: OpenClaim, bytes: number): void {
    claim.bytes += bytes;
    total += bytes;
    for (const name of claim.names) {
      const now = (held.get(name) ?? 0) + bytes;
      if (now === 0) held.delete(name);
      else held.set(name, now);
    }
  }

  function heldBy({ names }: OpenClaim): number {
    return Math.max(...names.map((name) => held.get(name) ?? 0));
  }

  function release(claim: OpenClaim): void {
    if (claims.delete(claim)) count(claim, -claim.bytes);
  }

  /** Returns the incomplete body whose caller uses the most memory, if that is more than `bytes`. */
  function largestAbove(bytes: number): OpenClaim | undefined {
    let largest: OpenClaim | undefined;
    for (const claim of claims) {
      if (!claim.arriving || claim.bytes === 0 || heldBy(claim) <= bytes) continue;
      if (largest === undefined || heldBy(claim) > heldBy(largest)) largest = claim;
    }
    return largest;
  }

  return {
    open({ principal, address }, revoked) {
      const claim: OpenClaim = {
        names: [`principal ${principal}`, `address ${address}`],
        revoke: revoked,
        bytes: 0,
        arriving: true,
      };
      claims.add(claim);
      return {
        take(bytes) {
          const wanted = heldBy(claim) + bytes;
          if (!claims.has(claim) || wanted > share) return false;
          while (total + bytes > limit) {
            const largest = largestAbove(wanted);
            if (largest === undefined) return false;
            release(largest);
            largest.revoke();
          }
          count(claim, bytes);
          return true;
        },
        complete() {
          claim.arriving = false;
        },
        release: () => release(claim),
      };
    },
  };
}
