import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import { createRightCheck, PATIENCE_MS, RECHECK_MS, type Right } from '#api/http/right-check.ts';
import type { Detection } from '#schemas/detection.ts';
import { type Polling, poll } from '../tail/poll.ts';
import { readTail, type TailState, tailFrom } from '../tail/read-tail.ts';
import { type DecisionTail, followDecisions } from './decision-tail.ts';
import type { StreamReader } from './stream-reader.ts';

/** A reader, and how long it may read. */
export interface StreamSubscription {
  readonly reader: StreamReader;
  /** Counts as one for the limit. */
  readonly owner: string;
  /** Where to go on from: the id of the last event the reader had; undefined: from now on. Epoch milliseconds. */
  readonly since: number | undefined;
  /** May reject while a store is unavailable. */
  readonly mayRead: () => Promise<boolean>;
}

export interface DetectionStreams {
  /** Room for one more of this owner. */
  hasRoom(owner: string): boolean;
  add(subscription: StreamSubscription): void;
  /** Ends all of them. */
  close(): Promise<void>;
}

export interface DetectionStreamsConfig {
  /** Of this process. Default 200. */
  readonly maxReaders?: number;
  /** Of one owner on this process. Default 20. */
  readonly maxOfOwner?: number;
  /** How often is looked for new detections, ms. Default 250. */
  readonly pauseMs?: number;
  /** Minimum time before a growing detection is sent again, ms. Default 1,000. */
  readonly againMs?: number;
  /** Default 15 s. */
  readonly heartbeatMs?: number;
  /** How often the right to read is looked up. Default 5 s. */
  readonly recheckMs?: number;
  /** How long a reader stays while the right can't be looked up. Default 30 s. */
  readonly patienceMs?: number;
}

/** Written before a reader's position, visible after it: clocks of processes differ and inserts take time. This much is sent again when a reader resumes. */
const RESUME_OVERLAP_MS = 30_000;
/** A reader that was disconnected for longer reads a list instead. */
const MAX_AWAY_MS = 24 * 3_600_000;

interface Reading extends StreamSubscription {
  readonly right: () => Promise<Right>;
  /** Detections that landed while the reader catches up. */
  waiting: Detection[] | undefined;
}

/**
 * Sends new detections, growing ones and decisions of analysts to all readers of this process: one query of ClickHouse serves them all, wherever they
 * were written. Without readers no query runs. A reader that reconnects, to any process, resumes where it was: at least once, and
 * `id` with `revision` identify repeats.
 * Long: its functions share the readers and the query that serves all of them.
 */
export function createDetectionStreams(
  { clickhouse, logger }: { readonly clickhouse: ClickHouse; readonly logger: Pick<FastifyBaseLogger, 'warn'> },
  config: DetectionStreamsConfig = {},
): DetectionStreams {
  const { maxReaders = 200, maxOfOwner = 20, pauseMs = 250, againMs = 1_000 } = config;
  const { heartbeatMs = 15_000, recheckMs = RECHECK_MS, patienceMs = PATIENCE_MS } = config;
  const readers = new Set<Reading>();
  let stop: (() => Promise<void>) | undefined;
  /** Position of the readers, a time of ClickHouse; undefined until ClickHouse has answered. */
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

  /** For the first reader; ended with the last. */
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
        // Readers that catch up read them themselves.
        if (decided.length > 0)
          for (const { reader, waiting } of readers)
            if (waiting === undefined) reader.send(decided, reached, 'decision');
        return read;
      },
      { pauseMs, onError: (err) => logger.warn({ err }, 'the stream of detections waits for ClickHouse') },
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

  /** Detections and decisions from the moment `startedAt` of this process on, by the clock of ClickHouse. */
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

  /** First what was missed, then what landed while that was sent. */
  async function catchUp(reading: Reading, since: number): Promise<void> {
    const { reader } = reading;
    reading.waiting = [];
    const sent = new Map<string, number>();
    let from = since;
    try {
      const now = await serverClock(clickhouse);
      from = Math.max(Math.min(since, now), now - MAX_AWAY_MS);
      if (from > since) reader.say('missed', { before: new Date(from).toISOString() });
      let state = { ...tailFrom(from - RESUME_OVERLAP_MS), toldMs: from };
      for (let more = true; more && !reader.body.destroyed; ) {
        const read = await readTail(clickhouse, state, { againMs: Number.POSITIVE_INFINITY });
        for (const { id, revision } of read.detections) sent.set(id, revision);
        // A reader that disconnects before all of it is sent has to receive all of it again.
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
    if (now === 'unknown') reader.end('the caller can not be looked up');
  }
}
