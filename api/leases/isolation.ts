/**
 * Finds the row that ends its worker, among all rows that the worker leased when it died. Each of these rows is a
 * suspect. A worker runs suspects one at a time and, if possible, alone:
 *
 *     usual ──suspect waits──▶ draining ──holds nothing──▶ alone ──ended or survived──▶ usual
 *                                 └──drain timeout──▶ together ──▶ usual for as long as it drained
 *
 * - `alone`: the worker leases nothing else until the suspect ends or survives its window: 1 s, doubled per loss. A
 *   death in this time counts against the suspect.
 * - `together`: the worker still leases other work, and a death counts against no row.
 *
 * The drain timeout grows fourfold with each loss. So a row that keeps ending its worker runs alone eventually, however
 * long the other work takes.
 */
export interface Isolation {
  /** Reports the result of a poll: losses of the next suspect, or null if there is no suspect. */
  observe(losses: number | null): void;
  /** Decides what to claim next. `held`: number of leases of the worker. */
  next(held: number): 'usual' | 'alone' | 'together' | 'nothing';
  /**
   * Reports that a suspect was claimed to run alone. `onSurvived` is called at the end of its window, unless `end` is
   * called first.
   */
  begin(losses: number, onSurvived: () => void): void;
  /** Reports that a suspect was claimed to run together with other work. */
  joined(): void;
  /** Reports that no suspect runs alone any more. */
  end(): void;
}

/** Shared by the workers of a process, so only one suspect at a time runs alone. */
export interface IsolationGate {
  holder: Isolation | undefined;
  /** Number of leases and claims in flight of each worker of the process. */
  readonly busy?: Map<Isolation, () => number>;
  /**
   * The worker that drains, and its deadline in the time base of `performance.now()`. The other workers claim nothing
   * until then either.
   */
  draining?: { readonly by: Isolation; readonly until: number } | undefined;
}

const WINDOW_MS = 1_000;
const DRAIN_MS = 2_000;
const MAX_MS = 600_000;

/** Creates the isolation of one worker. `busy`: its number of leases and claims in flight. */
export function createIsolation(gate: IsolationGate = { holder: undefined }, busy: () => number = () => 0): Isolation {
  let losses: number | null = null;
  let drainsUntil: number | undefined;
  let usualUntil = Number.NEGATIVE_INFINITY;
  let window: NodeJS.Timeout | undefined;

  const isolation: Isolation = {
    observe(found) {
      losses = found;
      if (found !== null) return;
      drainsUntil = undefined;
      if (gate.draining?.by === isolation) gate.draining = undefined;
    },
    next(held) {
      if (gate.holder !== undefined) return 'nothing';
      const now = performance.now();
      if (gate.draining !== undefined && gate.draining.by !== isolation && now < gate.draining.until) return 'nothing';
      if (losses === null || now < usualUntil) return 'usual';
      if (held === 0 && heldByOthers() === 0) {
        gate.holder = isolation; // reserved before the claim is sent, so no other worker claims in between
        return 'alone';
      }
      drainsUntil ??= now + drainMs(losses);
      if (now >= drainsUntil) return 'together';
      gate.draining = { by: isolation, until: drainsUntil };
      return 'nothing';
    },
    begin(lost, onSurvived) {
      gate.holder = isolation;
      drainsUntil = undefined;
      window = setTimeout(onSurvived, Math.min(WINDOW_MS * 2 ** (lost - 1), MAX_MS)).unref();
    },
    joined() {
      drainsUntil = undefined;
      if (gate.draining?.by === isolation) gate.draining = undefined;
      usualUntil = performance.now() + drainMs(losses ?? 1);
    },
    end() {
      clearTimeout(window);
      if (gate.holder === isolation) gate.holder = undefined;
      if (gate.draining?.by === isolation) gate.draining = undefined;
    },
  };
  gate.busy?.set(isolation, busy);
  return isolation;

  function heldByOthers(): number {
    let count = 0;
    for (const [other, held] of gate.busy ?? []) if (other !== isolation) count += held();
    return count;
  }
}

function drainMs(losses: number): number {
  return Math.min(DRAIN_MS * 4 ** (losses - 1), MAX_MS);
}
