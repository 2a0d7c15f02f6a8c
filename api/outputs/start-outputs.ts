import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { poll } from '#api/detections/tail/poll.ts';
import type { Seal } from '#api/executions/secrets/seal.ts';
import type { Database } from '#api/postgres/database.ts';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import { collectMessages } from './collect.ts';
import { deliverForSlice, type SliceDeps } from './deliver.ts';
import { observeOutputs } from './observe-outputs.ts';
import { createOpenOutputs } from './open-outputs.ts';
import type { OutputReach } from './reach.ts';
import { trimOutputs } from './retention.ts';
import { claimOutputs, type OutputRow } from './tables/outputs.ts';

export interface StartOutputsDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly logger: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  readonly registry: Registry;
  readonly reach: OutputReach;
  readonly seal: Seal;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
}

export interface OutputsConfig {
  /** Poll interval for new detections and due outputs, ms. Default 1,000. */
  readonly pauseMs?: number;
  /**
   * Minimum time before a growing detection is sent again, ms. Default 30,000, because a flood of identical alerts
   * hides others.
   */
  readonly againMs?: number;
  /** Time limit of a delivery, ms. Default 12,000. */
  readonly deliveryMs?: number;
  /** Time that a delivery in flight gets after the stop, ms. Default 2,000. */
  readonly stopGraceMs?: number;
  /** Lease time, ms. An expired lease passes the output to another process. Default 30,000; longer than a delivery. */
  readonly leaseMs?: number;
  /** Maximum time between two attempts for an unavailable receiver, ms. Default 60,000. */
  readonly maxPauseMs?: number;
  /**
   * Number of attempts after which a test determines whether a single message makes the receiver fail. Default 12,
   * about five minutes.
   */
  readonly blockedTries?: number;
}

export interface RunningOutputs {
  /** Stops sending. A delivery in flight gets a short time to finish; then it is aborted, and the next worker repeats it. */
  stop(): Promise<void>;
}

/**
 * Maximum number of outputs that one process serves concurrently, so that an output waiting for its receiver does not
 * delay the others.
 */
const MAX_CONCURRENT_OUTPUTS = 64;
const TRIM_MS = 3_600_000;

/**
 * Sends detections to receivers until it is stopped. Any number of processes do so together: one at a time writes the
 * journal, and the lease of an output selects the process that serves it.
 */
export function startOutputs(deps: StartOutputsDeps, config: OutputsConfig = {}): RunningOutputs {
  const { clickhouse, database, logger, registry, reach, seal, tracing = NO_TRACING } = deps;
  const { pauseMs = 1_000, againMs = 30_000, deliveryMs = 12_000, leaseMs = 30_000, maxPauseMs = 60_000 } = config;
  const { blockedTries = 12, stopGraceMs = 2_000 } = config;
  const stopping = new AbortController();
  const cutting = new AbortController();
  const running = new Map<string, Promise<void>>();
  const opened = createOpenOutputs({ reach, seal, tracing });
  const counts = observeOutputs({ database, registry });

  const collecting = poll(
    async () => {
      const { collected, more } = await collectMessages({ clickhouse, database, tracing }, { againMs });
      if (collected > 0) await claimDue();
      return { more };
    },
    { pauseMs, onError: (err) => logger.warn({ err }, 'cannot collect detections for outputs') },
  );
  const claiming = poll(
    async () => {
      await claimDue();
      return { more: false };
    },
    { pauseMs, onError: (err) => logger.warn({ err }, 'cannot claim due outputs') },
  );
  const trimming = poll(
    async () => {
      await trimOutputs(database, stopping.signal);
      return { more: false };
    },
    { pauseMs: TRIM_MS, onError: (err) => logger.warn({ err }, 'cannot delete old messages of outputs') },
  );

  async function claimDue(): Promise<void> {
    const places = MAX_CONCURRENT_OUTPUTS - running.size;
    if (places <= 0 || stopping.signal.aborted) return;
    for (const row of await claimOutputs(database, places, leaseMs)) serve(row);
    opened.closeIdle(running);
  }

  /**
   * Queues a time slice. If the lease expired while this process was delayed, an earlier slice of this output may still
   * run here; it detects the lost claim, and the new slice follows.
   */
  function serve(row: OutputRow): void {
    const before = running.get(row.id) ?? Promise.resolve();
    const count: SliceDeps['count'] = (outcome, messages) => counts.count(row.type, outcome, messages);
    const delivered: SliceDeps['delivered'] = (seconds, trace) => counts.delivered(row.type, seconds, trace);
    const turn = before
      .then(() =>
        deliverForSlice(
          { database, logger, count, delivered },
          { deliveryMs, leaseMs, maxPauseMs, blockedTries },
          row,
          () => opened.get(row),
          { stopping: stopping.signal, cutting: cutting.signal },
        ),
      )
      .catch((err: unknown) => logger.warn({ output: row.id, err }, 'time slice of output failed'))
      .finally(() => {
        if (running.get(row.id) === turn) running.delete(row.id);
      });
    running.set(row.id, turn);
  }

  return {
    async stop() {
      stopping.abort();
      const cut = setTimeout(() => cutting.abort(), stopGraceMs);
      await Promise.all([collecting.stop(), claiming.stop(), trimming.stop()]);
      await Promise.all(running.values());
      clearTimeout(cut);
      await opened.close();
    },
  };
}
