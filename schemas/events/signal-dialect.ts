import { FATAL_SIGNALS } from './versions/v1.ts';

/**
 * How detectors name signals. `v1` is the format. `short` also takes what releases of the reference detector in the
 * field write (`Segv`, `Hup`, in whatever case); the operator switches it on.
 */
export type SignalDialect = 'v1' | 'short';

export const SIGNAL_DIALECTS = ['v1', 'short'] as const;

const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ...FATAL_SIGNALS.map((name): [string, string] => [name.slice(3).toLowerCase(), name]),
  // The same numbers under their other names.
  ['abrt', 'SIGIOT'],
  ['poll', 'SIGIO'],
]);

/** Rewrites short signal names to those of the format, in place, in the event and in every event it encloses. */
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
