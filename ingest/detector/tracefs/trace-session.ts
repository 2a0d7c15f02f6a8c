import type { DetectedEvent } from '../assembly-slot.ts';
import { createProcessReader } from '../attribution/process-snapshot.ts';
import { fromEpochUs } from '../lines/calendar-time.ts';
import type { DetectorLog } from '../log.ts';
import { createCrashMerger } from './merge-crashes.ts';
import { openTraceInstance, type TraceInstance, TraceUnavailableError } from './trace-instance.ts';
import { startTraceReader } from './trace-reader.ts';

export interface TraceSessionOptions {
  /** Directory that contains `proc` and `sys`, normally `/`. */
  readonly root: string;
  readonly hostname: string | null;
  readonly bootTimeMs: number;
  readonly now: () => number;
}

export interface TraceSession {
  /** Adds events of the kernel log. Returns the events that are complete now. */
  join(events: readonly DetectedEvent[]): DetectedEvent[];
  firstHeldSeq(): number | null;
  /** Number of lost entries of the trace ring buffer. */
  lost(): number;
  /** Stops tracing. Returns all events that were still held. */
  stop(): Promise<DetectedEvent[]>;
}

/**
 * Traces fatal signals and merges them with the events of the kernel log. If the system does not permit tracing, logs
 * the reason and returns null. The kernel log is then the only source.
 */
export function startTraceSession(options: TraceSessionOptions, log: DetectorLog): TraceSession | null {
  const { root, hostname, bootTimeMs, now } = options;
  let instance: TraceInstance;
  try {
    instance = openTraceInstance(root);
  } catch (error) {
    if (!(error instanceof TraceUnavailableError)) throw error;
    log('warn', { reason: error.message }, 'tracefs is not available: crashes are read from the kernel log alone');
    return null;
  }
  const timestampOf = (timeUs: number): string =>
    fromEpochUs(bootTimeMs * 1000 + timeUs) ?? new Date(now()).toISOString();
  const merger = createCrashMerger({ hostname, timestampOf, now });
  const reader = startTraceReader(instance, createProcessReader(root), merger.takeTrace, log);
  log('info', {}, 'tracing fatal signals');
  return {
    join(events) {
      merger.takeLog(events);
      return merger.drain();
    },
    firstHeldSeq: merger.firstHeldSeq,
    lost: reader.lost,
    async stop() {
      await reader.stop();
      return merger.drain(true);
    },
  };
}
