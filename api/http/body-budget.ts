/** The sender of a body. Account and address are bounded separately: one account on many hosts, many accounts on one host. */
export interface BodyCaller {
  readonly principal: string;
  readonly address: string;
}

/** The share of one request body in the memory for all of them. */
export interface BodyClaim {
  /** Counts bytes that have arrived; false when they don't fit, and then nothing is counted. */
  take(bytes: number): boolean;
  /** The body has arrived: from now on the claim is not revoked. */
  complete(): void;
  /** Releases the claim. Calling it again has no effect. */
  release(): void;
}

/** Memory for request bodies, over all requests of a process. Counted are bytes that have arrived, not those announced. */
export interface BodyBudget {
  /** `revoked`: the claim was taken back in favour of a caller that holds less; the body must be refused. */
  open(caller: BodyCaller, revoked: () => void): BodyClaim;
}

interface OpenClaim {
  readonly names: readonly string[];
  readonly revoke: () => void;
  bytes: number;
  arriving: boolean;
}

/**
 * A budget of `limit` bytes. One caller holds at most half of it. When the rest is used up, the body that is still arriving and
 * belongs to the caller that holds most is revoked for a caller that holds less: uploads that stall, however many, delay
 * their own sender only.
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

  /** The arriving body whose caller holds most, if that is more than `bytes`. */
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
