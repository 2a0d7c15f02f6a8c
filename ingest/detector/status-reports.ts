import type { DetectorLog } from './log.ts';
import { reasonOf } from './sinks/post-batch.ts';

/** Progress that a running detector reports. */
export interface DetectorProgress {
  /** The host in its events; absent if the log sets it. */
  readonly hostname?: string;
  /** Age of the oldest event that the receiver has not accepted, ms; 0 if none is waiting. */
  readonly lagMs: number;
  /** Kernel records and entries of the trace that were overwritten before they were read. */
  readonly lostRecords: number;
  /** Events that the receiver rejected, and events dropped because the spool was full. */
  readonly refusedEvents: number;
  readonly droppedEvents: number;
  /** Kernel settings that decide which crashes are logged. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface StatusReportsOptions {
  /** URL of `PUT /api/detectors/status` of the receiver. */
  readonly url: URL;
  /** Key of an enrolled host. */
  readonly apiKey: string;
  readonly version: string;
  /** The source that the detector reads. */
  readonly source: string;
  readonly intervalMs?: number;
}

/** Maximum length of `source` that all versions of the receiver accept, in characters. */
const MAX_SOURCE = 64;
/** If the receiver does not respond, the next report is sent at the next interval. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 65_536;
/** The key does not belong to an enrolled host, or the receiver has an older version. */
const NOT_ENROLLED = 404;

/**
 * Reports the status immediately and then at each interval, until the returned function is called. Stops if the
 * receiver does not know the host as enrolled. A failed report is not retried, because the next one replaces it.
 */
export function startStatusReports(
  options: StatusReportsOptions,
  progress: () => DetectorProgress,
  log: DetectorLog,
): () => void {
  // Loaded by name at run time; `createPoster` states the reason.
  const { request } = process.getBuiltinModule(options.url.protocol === 'https:' ? 'node:https' : 'node:http');
  const source = endOf(options.source);
  const stop = new AbortController();
  let refused: number | null = null;

  function send(): void {
    const body = JSON.stringify({ version: options.version, source, ...progress() });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': options.apiKey,
    };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stop.signal]);
    const outgoing = request(options.url, { method: 'PUT', headers, signal }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        if (text.length < MAX_ANSWER) text += chunk;
      });
      answer.on('error', () => {});
      answer.on('end', () => judge(answer.statusCode ?? 0, text));
    });
    // The sink already reports that the receiver is unavailable.
    outgoing.on('error', () => {});
    outgoing.end(body);
  }

  function judge(status: number, body: string): void {
    if (status === NOT_ENROLLED) clearInterval(timer);
    else if (status >= 400 && status !== refused)
      log('warn', { status, reason: reasonOf(body) }, 'the receiver refused the status report');
    refused = status >= 400 ? status : null;
  }

  const timer = setInterval(send, options.intervalMs ?? 60_000);
  send();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

/** Shortens a long source, such as the path of a log, to its end, which identifies it best. */
function endOf(source: string): string {
  return source.length <= MAX_SOURCE ? source : `…${source.slice(1 - MAX_SOURCE)}`;
}
