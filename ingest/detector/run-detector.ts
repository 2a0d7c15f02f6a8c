import { readFile } from 'node:fs/promises';
import { hostname as machineName } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { EARLIEST_CLOCK_SECONDS } from '#schemas/events/earliest-clock.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import type { DetectedEvent } from './assembly-slot.ts';
import { createKernelLogParser } from './kernel-log-parser.ts';
import { createLeanProcess } from './lean-process.ts';
import type { DetectorLog } from './log.ts';
import { outgoing, plain } from './outgoing-events.ts';
import { freshState, loadResumeState, type ResumeState } from './resume-state.ts';
import { createSettingsWatch, type SettingsWatch } from './settings-watch.ts';
import { type EventSink, SinkClosedError } from './sinks/event-sink.ts';
import { createFileSource } from './sources/file-source.ts';
import type { KernelSyslog } from './sources/kernel-syslog.ts';
import { createKmsgSource, type KmsgDevice } from './sources/kmsg-source.ts';
import type { KernelLogSource } from './sources/source.ts';
import { createStreamSource } from './sources/stream-source.ts';
import { createSyslogSource } from './sources/syslog-source.ts';
import { createStateSaver } from './state-saver.ts';
import type { DetectorProgress } from './status-reports.ts';
import { earliest } from './tracefs/merge-crashes.ts';
import { startTraceSession } from './tracefs/trace-session.ts';
import { createUnacknowledged, type Unacknowledged } from './unacknowledged.ts';
import { createUnreadReport } from './unread-report.ts';

/** Interval at which traced crashes are sent while the kernel log is silent, ms. */
const TRACE_DRAIN_MS = 250;

export type DetectorInput =
  /** The log of the running kernel, usually `/dev/kmsg`. */
  | { readonly kind: 'kmsg'; readonly path: string }
  /** The log of the running kernel at `path`, and its trace of fatal signals if the system permits it. */
  | { readonly kind: 'tracefs'; readonly path: string }
  /** The log of the running kernel by syslog(2). Needs CAP_SYSLOG and no device. */
  | { readonly kind: 'syslog' }
  | { readonly kind: 'file'; readonly path: string; readonly follow: boolean }
  | { readonly kind: 'stream'; readonly stream: Readable };

export interface DetectorOptions {
  readonly input: DetectorInput;
  /** Host name for every event. If null: the machine's name for the running kernel, otherwise the name in the log. */
  readonly hostname: string | null;
  /**
   * Wall clock at offset 0 of monotonic times, ms since the epoch. If null: the boot time for the running kernel,
   * otherwise the epoch.
   */
  readonly bootTimeMs: number | null;
  readonly signalDialect: SignalDialect;
  /**
   * File for the sequence number of the running kernel between runs. If null, every start reads the whole ring buffer.
   */
  readonly stateFile: string | null;
  /** Watches kernel settings; null turns this off. `configure` sets them first. */
  readonly settings: { readonly configure: boolean; readonly intervalMs: number } | null;
  /** Directory that contains `proc` and `sys`, normally `/`. */
  readonly root: string;
  /**
   * Reduces the memory of the whole process at the cost of speed, except during a flood of lines. For a process that
   * follows a log.
   */
  readonly lowMemory: boolean;
}

export interface DetectorDeps {
  readonly sink: EventSink;
  readonly log: DetectorLog;
  /** Stops the detector. Lines that were printed before are still read, sent and saved. */
  readonly signal: AbortSignal;
  /**
   * Called once when the detector runs, with a function that returns its progress. Returns a function that ends the
   * observation.
   */
  readonly observe?: (progress: () => DetectorProgress) => () => void;
  /** Wall clock, ms since the epoch. Default Date.now. */
  readonly now?: () => number;
  /** Opens the ring buffer; tests replace it to simulate rare errors. */
  readonly openDevice?: () => KmsgDevice;
  /** Opens the log by syslog(2); tests replace it to simulate rare errors. */
  readonly openSyslog?: () => KernelSyslog;
}

export interface DetectorSummary {
  readonly lines: number;
  readonly events: number;
  /** Fatal signals without a name in the format. */
  readonly unnamedSignals: number;
  /** Lines that look like a fault of a user process but produced no event. */
  readonly unreadFaults: number;
  readonly overruns: number;
  /** Kernel records that were overwritten before they were read. */
  readonly lostRecords: number;
  /** Entries of the trace ring that were overwritten before they were read. */
  readonly lostTraces: number;
  readonly reason: 'end of input' | 'stopped' | 'output closed';
}

const EARLIEST_CLOCK = formatInstant({ seconds: EARLIEST_CLOCK_SECONDS, nanos: 0 });

/**
 * Reads the source, parses it and writes to the sink, until the input ends, the signal is raised or the reader of the
 * output closes it. The position in the kernel's ring buffer is saved only when the sink has acknowledged all earlier
 * events. Closes the sink. Rejects if the input cannot be read or the sink fails; unacknowledged events are then not
 * saved as done.
 * Long: its steps share the parser, the sink and the counters of one run.
 */
export async function runDetector(options: DetectorOptions, deps: DetectorDeps): Promise<DetectorSummary> {
  const { sink, log } = deps;
  const lean = options.lowMemory ? createLeanProcess() : null;
  const now = deps.now ?? Date.now;
  const live = isLive(options.input);
  const hostname = options.hostname ?? (live ? machineName() : null);
  let state = await startState(options, now);
  const identity = live ? identityOf(state) : null;
  const parser = createKernelLogParser({ hostname, bootTimeMs: state.bootTimeMs, referenceMs: now() });

  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const writes = createUnacknowledged(() => stop.abort());
  let lastSeq = state.nextSeq - 1;
  let overruns = 0;
  let lostRecords = 0;

  const trace =
    options.input.kind === 'tracefs'
      ? startTraceSession({ root: options.root, hostname, bootTimeMs: state.bootTimeMs, now }, log)
      : null;
  const reportUnread = createUnreadReport(parser, log);
  const reportUptimes = live || options.bootTimeMs !== null ? null : createUptimeReport(log);

  const saver = createStateSaver(live ? options.stateFile : null, () => state, log);

  async function send(fromLog: readonly DetectedEvent[], traced = trace?.join(fromLog)): Promise<void> {
    reportUnread();
    const events = traced ?? fromLog;
    reportUptimes?.(events);
    const nextSeq = earliest(parser.firstOpenSeq(), trace?.firstHeldSeq() ?? null) ?? lastSeq + 1;
    const leaving = outgoing(events, identity, options.signalDialect);
    const write = leaving.length === 0 ? Promise.resolve() : sink.write(leaving);
    await writes.add(write, events.length, () => {
      state = { ...state, nextSeq };
      saver.touch();
    });
  }

  async function read(source: KernelLogSource): Promise<void> {
    for await (const item of source(signal)) {
      if (item.kind === 'lines') {
        lean?.read(item.lines.length);
        const events: DetectedEvent[] = [];
        for (const line of item.lines) for (const event of parser.push(line)) events.push(event);
        if (live) lastSeq = seqOfRecord(item.lines.at(-1) as string);
        await send(events);
      } else if (item.kind === 'idle') {
        lean?.idle();
        await send(parser.flush());
      } else {
        overruns++;
        lostRecords += item.lost ?? 0;
        log('warn', { lost: item.lost, lostSoFar: lostRecords }, 'the kernel log ran over: records were lost');
        await send(parser.flush());
      }
    }
    await send(parser.flush());
  }

  const watch = options.settings
    ? createSettingsWatch(
        { root: options.root, hostname, configure: options.settings.configure, configured: state.configured },
        log,
        now,
      )
    : null;
  const stopWatching = watch
    ? await startWatching(watch, options.settings?.intervalMs ?? 5_000, log, (events) =>
        writes.add(
          sink.write(events.map((event) => plain(event, null, options.signalDialect))),
          events.length,
          () => {},
        ),
      )
    : () => {};
  if (watch) state = { ...state, configured: watch.configured };

  const drains =
    trace &&
    setInterval(() => {
      const events = trace.join([]);
      if (events.length > 0) void send([], events);
    }, TRACE_DRAIN_MS);
  const endObservation = deps.observe?.(() => ({
    ...(hostname === null ? {} : { hostname }),
    ...undelivered(sink, writes, now()),
    lostRecords: lostRecords + (trace?.lost() ?? 0),
    settings: watch?.values ?? {},
  }));
  try {
    await read(createSource(options.input, state.nextSeq, deps));
  } finally {
    endObservation?.();
    stopWatching();
    if (drains) clearInterval(drains);
    if (trace) await send([], await trace.stop());
    await sink.close();
    await writes.settled();
    await saver.close();
  }
  if (writes.failure !== undefined && !(writes.failure instanceof SinkClosedError)) throw writes.failure;
  const reason = writes.failure ? 'output closed' : deps.signal.aborted ? 'stopped' : 'end of input';
  return { ...parser.stats, overruns, lostRecords, lostTraces: trace?.lost() ?? 0, reason };
}

/**
 * Returns the age of the oldest event in flight or in the spool, and the numbers of events that could not be delivered.
 */
function undelivered(sink: EventSink, writes: Unacknowledged, nowMs: number) {
  const { oldestMs = null, refused = 0, dropped = 0 } = sink.backlog?.() ?? {};
  const inFlightMs = writes.oldestSince === null ? 0 : performance.now() - writes.oldestSince;
  const spooledMs = oldestMs === null ? 0 : nowMs - oldestMs;
  // Never negative, because the clock may have been set back.
  return { lagMs: Math.round(Math.max(inFlightMs, spooledMs, 0)), refusedEvents: refused, droppedEvents: dropped };
}

/** Warns once if events have times since boot. Without the boot time they appear to be from 1970. */
function createUptimeReport(log: DetectorLog): (events: readonly DetectedEvent[]) => void {
  let reported = false;
  return (events) => {
    if (reported || !events.some(({ event }) => event.timestamp < EARLIEST_CLOCK)) return;
    reported = true;
    log('warn', {}, 'times count from the start of the machine and become times of 1970: set --boot-time');
  };
}

/** Returns true for the log of the running kernel. */
export function isLive({ kind }: DetectorInput): boolean {
  return kind === 'kmsg' || kind === 'tracefs' || kind === 'syslog';
}

function createSource(input: DetectorInput, fromSeq: number, deps: DetectorDeps): KernelLogSource {
  if (input.kind === 'stream') return createStreamSource(input.stream);
  if (input.kind === 'syslog')
    return createSyslogSource({ fromSeq, ...(deps.openSyslog ? { open: deps.openSyslog } : {}) });
  if (input.kind === 'file') return createFileSource(input.path, { follow: input.follow });
  return createKmsgSource(input.path, { fromSeq, ...(deps.openDevice ? { open: deps.openDevice } : {}) });
}

async function startState(options: DetectorOptions, now: () => number): Promise<ResumeState> {
  if (!isLive(options.input)) return freshState('', options.bootTimeMs ?? 0, 'sequence');
  const bootId = (await readFile(join(options.root, 'proc/sys/kernel/random/boot_id'), 'utf8')).trim();
  const numbering = options.input.kind === 'syslog' ? 'time' : 'sequence';
  // The clock of printk stops during suspend, and so does this one.
  const bootTimeMs = options.bootTimeMs ?? Math.round(now() - Number(process.hrtime.bigint() / 1_000n) / 1000);
  return options.stateFile === null
    ? freshState(bootId, bootTimeMs, numbering)
    : loadResumeState(options.stateFile, freshState(bootId, bootTimeMs, numbering));
}

/** Returns the prefix of event ids. Numbers derived from times (syslog(2)) must not collide with those of /dev/kmsg. */
function identityOf({ bootId, numbering }: ResumeState): string {
  return numbering === 'time' ? `${bootId}:${numbering}` : bootId;
}

async function startWatching(
  watch: SettingsWatch,
  intervalMs: number,
  log: DetectorLog,
  send: (events: Awaited<ReturnType<SettingsWatch['check']>>) => Promise<void>,
): Promise<() => void> {
  const changed = await watch.start();
  if (changed.length > 0) await send(changed);
  const timer = setInterval(() => {
    watch
      .check()
      .then((events) => (events.length > 0 ? send(events) : undefined))
      .catch((error: unknown) => log('error', { reason: String(error) }, 'the settings cannot be read'));
  }, intervalMs);
  return () => clearInterval(timer);
}

function seqOfRecord(record: string): number {
  const from = record.indexOf(',') + 1;
  return Number(record.slice(from, record.indexOf(',', from)));
}
