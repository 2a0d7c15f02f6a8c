import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import { createRightCheck, PATIENCE_MS, RECHECK_MS, type Right } from '#api/http/right-check.ts';
import type { Detection } from '#schemas/detection.ts';
import { type Polling, poll } from '../tail/poll.ts';
import { readTail, type TailState, tailFrom } from '../tail/read-tail.ts';
import { type DecisionTail, followDecisions } from './decision-tail.ts';
import type { StreamReader } from './stream-reader.ts';

/** A reader and its permission to read. */
export interface StreamSubscription {
  readonly reader: StreamReader;
  /** Principal whose readers are counted together for the limit. */
  readonly owner: string;
  /** Position to resume from, epoch milliseconds: the id of the last event that the reader received. Undefined: from now on. */
  readonly since: number | undefined;
  /** Checks the permission. May reject while a store is unavailable. */
  readonly mayRead: () => Promise<boolean>;
}

export interface DetectionStreams {
  /** True if this owner may add another reader. */
  hasRoom(owner: string): boolean;
  add(subscription: StreamSubscription): void;
  /** Ends all readers. */
  close(): Promise<void>;
}

export interface DetectionStreamsConfig {
  /** Maximum number of readers per process. Default 200. */
  readonly maxReaders?: number;
  /** Maximum number of readers per owner and process. Default 20. */
  readonly maxOfOwner?: number;
  /** Poll interval for new detections, ms. Default 250. */
  readonly pauseMs?: number;
  /** Minimum time before a growing detection is sent again, ms. Default 1,000. */
  readonly againMs?: number;
  /** Interval of keep-alive events. Default 15 s. */
  readonly heartbeatMs?: number;
  /** Interval of permission checks. Default 5 s. */
  readonly recheckMs?: number;
  /** How long a reader stays connected while its permission cannot be checked. Default 30 s. */
  readonly patienceMs?: number;
}

/**
 * Time range that is sent again when a reader resumes. A detection can be written before the reader's position but
 * become visible after it, because clocks of processes differ and inserts take time.
 */
const RESUME_OVERLAP_MS = 30_000;
/** Maximum disconnection for which missed detections are sent. After a longer one, the reader must read the list. */
const MAX_DISCONNECTED_MS = 24 * 3_600_000;

interface Reading extends StreamSubscription {
  readonly right: () => Promise<Right>;
  /** Detections that became visible while the reader catches up. */
  waiting: Detection[] | undefined;
}

/**
 * Sends new and growing detections and decisions of analysts to all readers of this process. One ClickHouse query
 * serves all readers, whichever process wrote the detections. Without readers no query runs. A reader that reconnects,
 * to any process, resumes at its position. Delivery is at least once; `id` with `revision` identifies duplicates.
 * Long: its functions share the readers and the query.
 */
export function createDetectionStreams(
  { clickhouse, logger }: { readonly clickhouse: ClickHouse; readonly logger: Pick<FastifyBaseLogger, 'warn'> },
  config: DetectionStreamsConfig = {},
): DetectionStreams {
  const { maxReaders = 200, maxOfOwner = 20, pauseMs = 250, againMs = 1_000 } = config;
  const { heartbeatMs = 15_000, recheckMs = RECHECK_MS, patienceMs = PATIENCE_MS } = config;
  const readers = new Set<Reading>();
  let stop: (() => Promise<void>) | undefined;
  /** Position of the readers, by the clock of ClickHouse. Undefined until ClickHouse has responded. */
  let toldMs: number | undefined;
  let closed = false;

  return {
    hasRoom(owner) {
      if (closed || readers.size >= maxReaders) return false;
      return [...readers].filter((reading) => reading.owner === owner).length < maxOfOwner;
    },
    add(subscription) {
      const { reader, since, mayRead } = subscription;
      const reading: Reading = {
        ...subscription,
        right: createRightCheck(mayRead, { patienceMs }),
        waiting: undefined,
      };
      readers.add(reading);
      reader.body.once('close', () => {
        readers.delete(reading);
        if (readers.size > 0) return;
        void stop?.();
        stop = undefined;
      });
      stop ??= start();
      if (since !== undefined) void catchUp(reading, since);
      else if (toldMs !== undefined) reader.beat(toldMs);
    },
    async close() {
      closed = true;
      for (const { reader } of readers) reader.end('the server is shutting down');
      await stop?.();
    },
  };

  /** Starts polling for the first reader. The returned function stops it after the last. */
  function start(): () => Promise<void> {
    const startedAt = performance.now();
    let tails: { state: TailState; readonly decisions: DecisionTail } | undefined;
    toldMs = undefined;
    const polling: Polling = poll(
      async () => {
        tails ??= await begin(startedAt);
        const read = await readTail(clickhouse, tails.state, { againMs });
        tails.state = read.state;
        const isFirst = toldMs === undefined;
        const reached = read.state.toldMs;
        toldMs = reached;
        if (isFirst) beat();
        if (read.detections.length > 0) for (const reading of readers) send(reading, read.detections, reached);
        const decided = await tails.decisions();
        // Readers that catch up read these decisions themselves.
        if (decided.length > 0)
          for (const { reader, waiting } of readers)
            if (waiting === undefined) reader.send(decided, reached, 'decision');
        return read;
      },
      { pauseMs, onError: (err) => logger.warn({ err }, 'cannot poll detections for the stream') },
    );
    const beating = setInterval(beat, heartbeatMs).unref();
    const checking = setInterval(() => {
      for (const reading of readers) void recheck(reading);
    }, recheckMs).unref();
    return async () => {
      clearInterval(beating);
      clearInterval(checking);
      await polling.stop();
    };
  }

  /** Returns tails of detections and decisions that begin at `startedAt` of this process, by the clock of ClickHouse. */
  async function begin(startedAt: number): Promise<{ state: TailState; readonly decisions: DecisionTail }> {
    const beganMs = (await serverClock(clickhouse)) - Math.ceil(performance.now() - startedAt);
    return { state: tailFrom(beganMs), decisions: followDecisions(clickhouse, beganMs) };
  }

  function beat(): void {
    for (const { reader, waiting } of readers) if (waiting === undefined) reader.beat(toldMs);
  }

  function send(reading: Reading, detections: readonly Detection[], reached: number): void {
    if (reading.waiting === undefined) reading.reader.send(detections, reached);
    else reading.waiting.push(...detections);
  }

  /** Sends missed detections first, then those that became visible in the meantime. */
  async function catchUp(reading: Reading, since: number): Promise<void> {
    const { reader } = reading;
    reading.waiting = [];
    const sent = new Map<string, number>();
    let from = since;
    try {
      const now = await serverClock(clickhouse);
      from = Math.max(Math.min(since, now), now - MAX_DISCONNECTED_MS);
      if (from > since) reader.sendEvent('missed', { before: new Date(from).toISOString() });
      let state = { ...tailFrom(from - RESUME_OVERLAP_MS), toldMs: from };
      for (let more = true; more && !reader.body.destroyed; ) {
        const read = await readTail(clickhouse, state, { againMs: Number.POSITIVE_INFINITY });
        for (const { id, revision } of read.detections) sent.set(id, revision);
        // The id stays at `from`: a reader that disconnects before everything is sent must receive all of it again.
        reader.send(read.detections, from);
        state = read.state;
        more = read.more;
      }
      reader.send(await followDecisions(clickhouse, from - RESUME_OVERLAP_MS)(), from, 'decision');
    } catch (err) {
      logger.warn({ err }, 'cannot send missed detections to a reader of the stream');
      reader.end('missed detections cannot be read now: connect again');
      return;
    }
    const { waiting } = reading;
    reading.waiting = undefined;
    const reached = toldMs ?? from;
    reader.send(
      waiting.filter(({ id, revision }) => revision > (sent.get(id) ?? 0)),
      reached,
    );
    reader.beat(reached);
  }

  async function recheck({ reader, right }: Reading): Promise<void> {
    const now = await right();
    if (now === 'lost') reader.end('the session or key has ended or lost its role');
    if (now === 'unknown') reader.end('the permission cannot be checked now: connect again');
  }
}
