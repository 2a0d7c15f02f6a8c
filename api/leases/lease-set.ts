import { type Claim, type ClaimedRow, type Lease, type LeasedWork, LeaseLost, type WorkerLogger } from './port.ts';

/** The leases of one worker. */
export interface LeaseSet<R extends ClaimedRow> {
  /** Adds a claimed row. `asked`: when the claim was sent, in the time base of `performance.now()`. */
  add(row: R, asked: number): Lease<R>;
  /** Ends the renewal of a lease. */
  remove(lease: Lease<R>): void;
  get(id: R['id']): Lease<R> | undefined;
  all(): readonly Lease<R>[];
  countByGroup(): ReadonlyMap<string, number>;
  /** Aborts work whose lease has expired. It does not need PostgreSQL. */
  loseExpired(): void;
  /** Renews all leases in one statement, and aborts work whose lease is lost. Never rejects. */
  renew(): Promise<void>;
}

export function createLeaseSet<R extends ClaimedRow>(
  {
    name,
    work,
    logger,
    onLost,
  }: {
    readonly name: string;
    readonly work: Pick<LeasedWork<R>, 'facts' | 'groupOf' | 'renew'>;
    readonly logger: WorkerLogger;
    readonly onLost?: ((lease: Lease<R>) => void) | undefined;
  },
  { leaseMs }: { readonly leaseMs: number },
): LeaseSet<R> {
  const leases = new Set<Lease<R>>();
  /** The latest lease per row, because a worker may have lost a row and claimed it again. */
  const byId = new Map<R['id'], Lease<R>>();

  function remove(lease: Lease<R>): boolean {
    if (byId.get(lease.id) === lease) byId.delete(lease.id);
    return leases.delete(lease);
  }

  function lose(lease: Lease<R>): void {
    if (lease.settled || !remove(lease)) return;
    logger.warn({ ...work.facts(lease.row), work: name }, 'lease lost');
    lease.abort.abort(new LeaseLost('the lease is lost'));
    onLost?.(lease);
  }

  return {
    add(row, asked) {
      const { id, epoch } = row;
      const lease = {
        id,
        epoch,
        row,
        abort: new AbortController(),
        leaseEnds: asked + leaseMs,
        settled: false,
        alone: false,
      };
      leases.add(lease);
      byId.set(id, lease);
      return lease;
    },
    remove: (lease) => void remove(lease),
    get: (id) => byId.get(id),
    all: () => [...leases],
    countByGroup() {
      const counts = new Map<string, number>();
      for (const { row } of leases) counts.set(work.groupOf(row), (counts.get(work.groupOf(row)) ?? 0) + 1);
      return counts;
    },
    loseExpired() {
      for (const lease of leases) if (lease.leaseEnds < performance.now()) lose(lease);
    },
    async renew() {
      if (leases.size === 0) return;
      const asked = [...leases];
      const began = performance.now();
      try {
        const renewals = await work.renew(asked);
        for (const lease of asked) {
          const renewal = renewals.get(lease);
          if (renewal === undefined) lose(lease);
          else if (renewal.renewed) lease.leaseEnds = began + leaseMs;
        }
      } catch (error) {
        logger.warn({ err: error, work: name }, 'cannot renew leases');
      }
    },
  };
}

/** Matches result rows with leases by id and epoch, because an id may have been claimed again. */
export function answersByLease<L extends Claim, A extends Claim>(
  leases: readonly L[],
  answers: readonly A[],
): Map<L, A> {
  const byClaim = new Map(answers.map((answer) => [`${answer.id} ${answer.epoch}`, answer]));
  const pairs = leases.map((lease) => [lease, byClaim.get(`${lease.id} ${lease.epoch}`)] as const);
  return new Map(pairs.filter((pair): pair is [L, A] => pair[1] !== undefined));
}
