import type { DetectorLog } from './log.ts';

/** What a running detector reports of itself. */
export interface DetectorProgress {
  /** Age of the oldest write that neither the receiver nor the spool has accepted, ms; 0: none. */
  readonly lagMs: number;
  /** Kernel records and entries of the trace that were overwritten before they were read. */
  readonly lostRecords: number;
  /** Kernel settings that decide which crashes are logged. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface StatusReportsOptions {
  /** Of the receiver's `PUT /api/detectors/status`. */
  readonly url: URL;
  /** Of an enrolled host. */
  readonly apiKey: string;
  readonly version: string;
  /** What the detector reads. */
  readonly source: string;
  readonly intervalMs?: number;
}

/** A receiver that does not answer is asked again at the next interval. */
const TIMEOUT_MS = 10_000;
/** The key is not that of an enrolled host, or the receiver is of an earlier version. */
const NOT_ENROLLED = 404;

/**
 * Reports the status at once and then at each interval, until the returned function is called. Ends by itself when the receiver does not know
 * the host as enrolled. A report that fails is not repeated: the next one replaces it.
 */
export function startStatusReports(
  options: StatusReportsOptions,
  progress: () => DetectorProgress,
  log: DetectorLog,
): () => void {
  // Loaded by name at run time, for the reason that `createPoster` has.
  const { request } = process.getBuiltinModule(options.url.protocol === 'https:' ? 'node:https' : 'node:http');
  const stop = new AbortController();
  let refused: number | null = null;

  function send(): void {
    const body = JSON.stringify({ version: options.version, source: options.source, ...progress() });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': options.apiKey,
    };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stop.signal]);
    const outgoing = request(options.url, { method: 'PUT', headers, signal }, (answer) => {
      answer.resume();
      answer.on('error', () => {});
      judge(answer.statusCode ?? 0);
    });
    // The sink reports that the receiver is unavailable.
    outgoing.on('error', () => {});
    outgoing.end(body);
  }

  function judge(status: number): void {
    if (status === NOT_ENROLLED) clearInterval(timer);
    else if (status >= 400 && status !== refused) log('warn', { status }, 'the receiver refused the status report');
    refused = status >= 400 ? status : null;
  }

  const timer = setInterval(send, options.intervalMs ?? 60_000);
  send();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}
