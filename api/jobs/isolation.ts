/**
 * Finds the work that ends its worker, among all that the worker held when it died. Everything that a dead worker held is a suspect. A worker runs suspects one
 * at a time and, if it can, alone:
 *
 *     usual ──suspect waits──▶ draining ──holds nothing──▶ alone ──over──▶ usual
 *                                 └──time is up──▶ together ──▶ usual for as long as it drained
 *
 * `alone`: the worker holds nothing else and claims nothing else, until the suspect ends or has survived its window of 1 s, doubled with each loss. A death in
 * this time is the fault of the suspect and is counted. `together`: the worker still holds other work; a death is counted for none of it. The time to drain
 * grows fourfold with each loss, so work that ends its worker again and again runs alone in the end, however long the other work takes.
 */
export interface Isolation {
  /** What the last poll found: losses of the suspect that is next; null: no suspect waits. */
  observe(losses: number | null): void;
  /** What to claim next. `held`: leases of the worker. */
  next(held: number): 'usual' | 'alone' | 'together' | 'nothing';
  /** A suspect was claimed to run alone. `onSurvived` is called at the end of its window, unless `end` is called before. */
  begin(losses: number, onSurvived: () => void): void;
  /** A suspect was claimed that runs with other work. */
  joined(): void;
  /** Nothing runs alone any more. */
  end(): void;
}

/** Shared by the workers of a process: one of them at a time runs a suspect alone. */
export interface IsolationGate {
  holder: Isolation | undefined;
  /** Of each worker of the process: its leases, and 1 more while it claims some. */
  readonly busy?: Map<Isolation, () => number>;
  /** The worker that drains, and until when: the others claim nothing either. */
  draining?: { readonly by: Isolation; readonly until: number } | undefined;
}

const WINDOW_MS = 1_000;
const DRAIN_MS = 2_000;
const MAX_MS = 600_000;

/** `busy`: leases of this worker, and 1 more while it claims some. */
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
        gate.holder = isolation; // from here on, not from the answer of the claim: another worker could claim in between
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
