import { FATAL_SIGNALS } from './versions/v1.ts';

/**
 * The signal names that are accepted. `v1` is the format. `short` also accepts names of older releases of the reference
 * detector (`Segv`, `Hup`, in any case); an operator must enable it.
 */
export type SignalDialect = 'v1' | 'short';

export const SIGNAL_DIALECTS = ['v1', 'short'] as const;

const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ...FATAL_SIGNALS.map((name): [string, string] => [name.slice(3).toLowerCase(), name]),
  // Other names of the same signal numbers.
  ['abrt', 'SIGIOT'],
  ['poll', 'SIGIO'],
]);

/** Replaces short signal names by those of the format, in place, in the event and in all enclosed events. */
export function lengthenSignals(event: unknown): void {
  if (!isObject(event) || !isObject(event.event)) return;
  const body = event.event;
  if (typeof body.signal === 'string') {
    const long = LONG_NAMES.get(body.signal.toLowerCase());
    if (long !== undefined && body.type === 'LinuxFatalSignal') body.signal = long;
  }
  if (body.type !== 'RegisterProbe' || !isObject(body.justification)) return;
  const enclosed = body.justification.FullEvents;
  if (Array.isArray(enclosed)) for (const inner of enclosed) lengthenSignals(inner);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
