import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';
import type { ActorKind } from '../actor.ts';

export const FAULT_KINDS = ['kill', 'freeze', 'cut', 'fill', 'clock'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A process to which a fault can be applied. */
export interface Target {
  readonly name: string;
  readonly kind: ActorKind;
  /** True if its data is on a separate disk. */
  readonly disk: boolean;
  /** True if its clock can be set. */
  readonly clock: boolean;
}

/** A planned fault: its kind, targets, start and duration. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** One target; two for a cut. */
  readonly targets: readonly string[];
  /** Pause before the fault. */
  readonly afterMs: number;
  /** Duration of the fault. For a kill: time until the process is restarted. */
  readonly ms: number;
  /** Offset by which the clock is shifted. */
  readonly offsetSeconds?: number;
  /** True if the standby replaces the killed PostgreSQL primary, which is not restarted. */
  readonly failOver?: true;
  /** True if the next fault may begin during this one, unless it has the same target. */
  readonly overlaps: boolean;
}

export interface PlanOptions {
  readonly seed: number;
  readonly faults: number;
  readonly kinds: readonly FaultKind[];
  readonly targets: readonly Target[];
}

/** Relative frequency of each kind. Kills take the least time and are the most frequent fault in practice. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = { kill: 10, freeze: 4, cut: 4, fill: 2, clock: 3 };
const PROCESSES: readonly ActorKind[] = ['api', 'ingest', 'worker'];
/** Kinds of processes that have connections to each other. A cut between other kinds has no effect. */
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
/** Share of the faults during which the next one may begin. */
const OVERLAPS = 0.85;
/** Clocks in a fleet differ by seconds. A machine that starts without its time server may differ by hours. */
const OFFSETS = [-3600, -90, -5, 5, 90, 3600] as const;

/** Plans the faults of a run. The same seed and targets give the same faults. */
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
  // Picks a kind of process first, so that each kind is hit equally often, however many processes it has.
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

/** Describes a fault in one line. */
export function describeFault({ kind, targets, ms, offsetSeconds, failOver }: PlannedFault): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  const what = targets.join(' and ');
  if (kind === 'clock') return `clock of ${what} by ${offsetSeconds} s for ${seconds}`;
  return `${kind} ${what} for ${seconds}${failOver ? ', fail-over if it is the primary' : ''}`;
}
