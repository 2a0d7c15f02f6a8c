import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';
import type { ActorKind } from '../actor.ts';

export const FAULT_KINDS = ['kill', 'freeze', 'cut', 'fill', 'clock'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What a fault can be done to. */
export interface Target {
  readonly name: string;
  readonly kind: ActorKind;
  /** Its data is on a disk of its own. */
  readonly disk: boolean;
  /** Its clock can be set. */
  readonly clock: boolean;
}

/** One fault: what is done to whom, when, and for how long. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** One target; two for a cut. */
  readonly targets: readonly string[];
  /** Pause before it. */
  readonly afterMs: number;
  /** Until it is over. For a kill: until the process is started again. */
  readonly ms: number;
  /** By how much a clock is set. */
  readonly offsetSeconds?: number;
  /** The primary of PostgreSQL is replaced by its standby instead of being started again. */
  readonly failOver?: true;
  /** The next fault begins while this one lasts, unless it has the same target. */
  readonly overlaps: boolean;
}

export interface PlanOptions {
  readonly seed: number;
  readonly faults: number;
  readonly kinds: readonly FaultKind[];
  readonly targets: readonly Target[];
}

/** Share of each kind. Kills are the cheapest and the most frequent in practice. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = { kill: 10, freeze: 4, cut: 4, fill: 2, clock: 3 };
const PROCESSES: readonly ActorKind[] = ['api', 'ingest', 'worker'];
/** Which kinds of processes have connections to each other: a cut between others has no effect. */
const PEERS: Readonly<Record<ActorKind, readonly ActorKind[]>> = {
  kafka: ['kafka', ...PROCESSES],
  clickhouse: ['clickhouse', 'zookeeper', ...PROCESSES],
  zookeeper: ['clickhouse'],
  postgres: ['postgres', ...PROCESSES],
  redis: ['redis', 'sentinel', ...PROCESSES],
  sentinel: ['redis', 'sentinel', ...PROCESSES],
  api: ['kafka', 'clickhouse', 'postgres', 'redis', 'sentinel'],
  ingest: ['kafka', 'clickhouse', 'postgres', 'redis', 'sentinel'],
  worker: ['kafka', 'clickhouse', 'postgres', 'redis', 'sentinel'],
};
const MAX_FREEZE_MS = 30_000;
/** Share of the faults that last while the next one begins. */
const OVERLAPS = 0.85;
/** Clocks of a fleet differ by seconds; a machine that starts without its time server differs by hours. */
const OFFSETS = [-3600, -90, -5, 5, 90, 3600] as const;

/** The faults of a run. The same seed and targets give the same faults. */
export function planFaults({ seed, faults, kinds, targets }: PlanOptions): PlannedFault[] {
  const random = seededRandom(seed);
  const urn = kinds
    .filter((kind) => victims(kind, targets).length > 0)
    .flatMap((kind) => Array<FaultKind>(WEIGHTS[kind]).fill(kind));
  if (urn.length === 0) return [];
  return Array.from({ length: faults }, () => planOne(random, random.pick(urn), targets));
}

function planOne(random: SeededRandom, kind: FaultKind, targets: readonly Target[]): PlannedFault {
  const common = { kind, afterMs: random.between(100, 1000), overlaps: random.next() < OVERLAPS };
  // A kind of process first, so that each is hit as often, however many of it there are.
  const victim = (): Target => {
    const candidates = victims(kind, targets);
    const chosen = random.pick([...new Set(candidates.map((target) => target.kind))]);
    return random.pick(candidates.filter((target) => target.kind === chosen));
  };
  const first = victim();
  if (kind === 'cut') {
    const second = random.pick(peersOf(first, targets));
    return { ...common, targets: [first.name, second.name], ms: random.between(500, 20_000) };
  }
  const one = { ...common, targets: [first.name] };
  if (kind === 'freeze')
    return { ...one, ms: random.next() < 0.5 ? MAX_FREEZE_MS : random.between(500, MAX_FREEZE_MS) };
  if (kind === 'fill') return { ...one, ms: random.between(2000, 12_000) };
  if (kind === 'clock') return { ...one, ms: random.between(1000, 10_000), offsetSeconds: random.pick(OFFSETS) };
  const failOver = first.kind === 'postgres' && random.next() < 0.5;
  return { ...one, ms: random.between(0, 2500), ...(failOver ? { failOver: true as const } : {}) };
}

function peersOf({ name, kind }: Target, targets: readonly Target[]): readonly Target[] {
  return targets.filter((target) => target.name !== name && PEERS[kind].includes(target.kind));
}

function victims(kind: FaultKind, targets: readonly Target[]): readonly Target[] {
  if (kind === 'cut') return targets.filter((target) => peersOf(target, targets).length > 0);
  if (kind === 'fill') return targets.filter(({ disk }) => disk);
  if (kind === 'clock') return targets.filter(({ clock }) => clock);
  return targets;
}

/** A fault in one line. */
export function describeFault({ kind, targets, ms, offsetSeconds, failOver }: PlannedFault): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  const what = targets.join(' and ');
  if (kind === 'clock') return `clock of ${what} by ${offsetSeconds} s for ${seconds}`;
  return `${kind} ${what} for ${seconds}${failOver ? ', fail-over if it is the primary' : ''}`;
}
