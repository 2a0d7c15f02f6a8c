/**
 * Finds the work that ends its worker, among all the rows that the worker held when it died. Each of these rows is a suspect. A worker runs suspects one at a
 * time and, if it can, alone:
 *
 *     usual ──suspect waits──▶ draining ──holds nothing──▶ alone ──ended or survived──▶ usual
 *                                 └──drain timeout──▶ together ──▶ usual for as long as it drained
 *
 * `alone`: the worker holds and claims nothing else, until the suspect ends or has survived its window of 1 s, doubled with each loss. A death in this time
 * counts against the suspect. `together`: the worker still holds other work, and a death counts against no row. The drain timeout grows fourfold with each
 * loss, so a row that keeps ending its worker runs alone eventually, however long the other work takes.
 */
export interface Isolation {
  /** Reports the result of a poll: losses of the next suspect; null: no suspect waits. */
  observe(losses: number | null): void;
  /** Decides what to claim next. `held`: leases of the worker. */
  next(held: number): 'usual' | 'alone' | 'together' | 'nothing';
  /** A suspect was claimed to run alone. `onSurvived` is called at the end of its window, unless `end` is called first. */
  begin(losses: number, onSurvived: () => void): void;
  /** A suspect was claimed to run together with other work. */
  joined(): void;
  /** No suspect runs alone. */
  end(): void;
}

/** Shared by the workers of a process, so that one suspect at a time runs alone. */
export interface IsolationGate {
  holder: Isolation | undefined;
  /** Leases of each worker of the process, plus its claims in flight. */
  readonly busy?: Map<Isolation, () => number>;
  /** The worker that drains, and its deadline by `performance.now()`: the other workers claim nothing either. */
  draining?: { readonly by: Isolation; readonly until: number } | undefined;
}

const WINDOW_MS = 1_000;
const DRAIN_MS = 2_000;
const MAX_MS = 600_000;

/** `busy`: leases of this worker, plus its claims in flight. */
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
        gate.holder = isolation; // reserved before the claim is sent, so that no other worker claims in between
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
