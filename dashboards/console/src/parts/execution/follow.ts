/** A step of an execution, as `/api/v1/executions/{id}/events` reports it. */
export interface FollowedStep {
  readonly step: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attempt: number;
  /** Increases in the order in which the steps of the execution started. */
  readonly sequence: number;
  /** The step that contains it. */
  readonly parent: Pick<FollowedStep, 'step' | 'attempt'> | null;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly startedAt: string;
  readonly completedAt?: string;
}
export interface LogEntry {
  readonly id: string;
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly step: string;
}
export interface Followed {
  readonly status: string | undefined;
  /** Steps by name and attempt, in the order of their first event. */
  readonly steps: ReadonlyMap<string, FollowedStep>;
  readonly log: readonly LogEntry[];
  readonly ended: boolean;
}

export const NOTHING_FOLLOWED: Followed = { status: undefined, steps: new Map(), log: [], ended: false };
/** Maximum number of log lines. The trace contains older ones. */
const MAX_LOG = 2_000;

/** Applies a batch of events. Idempotent for repeated events. */
export function takeIn(
  known: Followed,
  events: readonly { readonly kind: string; readonly id: string; readonly data: unknown }[],
): Followed {
  const steps = new Map(known.steps);
  const log = [...known.log];
  const heard = new Set(known.log.map(({ id }) => id));
  let { status, ended } = known;
  for (const { kind, id, data } of events) {
    if (kind === 'step') {
      const step = data as FollowedStep;
      const key = keyOf(step);
      steps.set(key, { ...steps.get(key), ...step });
      continue;
    }
    if (kind === 'end') ended = true;
    if ((kind !== 'status' && kind !== 'line') || heard.has(id)) continue;
    heard.add(id);
    const { at, level, text, step, status: now } = data as Partial<LogEntry> & { readonly status?: string };
    if (kind === 'status') status = now;
    log.push({ id, at: at ?? '', level: level ?? 'status', text: text ?? now ?? '', step: step ?? '' });
  }
  return { status, steps, log: log.slice(-MAX_LOG), ended };
}

export function keyOf({ step, attempt }: Pick<FollowedStep, 'step' | 'attempt'>): string {
  return `${step}#${attempt}`;
}
