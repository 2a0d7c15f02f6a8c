import { z } from 'zod';
import { SIGNAL_DIALECTS } from '#schemas/events/signal-dialect.ts';
import { byteSize, DAYS, text, wholeNumber } from '../values.ts';

/** Topics, consumer group, batches, rules and retention of the pipeline. */
export const ingestSettings = {
  TRAPLINE_TOPIC_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be letters, digits, dots, dashes and underscores')
    .optional()
    .describe('prefix of the name of every topic'),
  TRAPLINE_GROUP_ID: text.default('trapline').describe('consumer group of the ingest processes'),
  TRAPLINE_SESSION_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 300_000 })
    .default(10_000)
    .describe('time without a heartbeat after which another ingest process takes over the partitions, ms'),
  TRAPLINE_BATCH_ROWS: wholeNumber({ min: 1, max: 1_000_000 })
    .default(50_000)
    .describe('a batch is stored when it has this many rows'),
  TRAPLINE_BATCH_BYTES: byteSize({ min: 2 ** 10, max: 2 ** 30 })
    .default(32 * 2 ** 20)
    .describe('a batch is stored when it has this many bytes'),
  TRAPLINE_BATCH_AGE_MS: wholeNumber({ min: 1, max: 60_000 })
    .default(500)
    .describe('a batch is stored when it is this old, ms'),
  TRAPLINE_SNAPSHOT_EVENTS: wholeNumber({ min: 1_000, max: 100_000_000 })
    .default(200_000)
    .describe('events after which the state of the rules is saved, so that a restart replays no more than these'),
  TRAPLINE_QUEUE_BYTES: byteSize({ min: 2 ** 16, max: 2 ** 36 })
    .default(80 * 2 ** 20)
    .describe(
      'bytes of records that may wait to be stored; above that, sources are paused or get 429. An ingest process takes about 200 MiB and twice this value',
    ),
  TRAPLINE_SUBMIT_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 600_000 })
    .default(20_000)
    .describe('how long POST /api/events waits until its events are stored, ms; then it responds with 503'),
  TRAPLINE_LANE_THREADS: wholeNumber({ min: 0, max: 16 })
    .optional()
    .describe(
      'threads that validate, derive and store records from Kafka; 0: the thread that reads Kafka does this, as always with the embedded engine. Not set: one less than the number of cores, at most 2',
    ),
  TRAPLINE_MAX_RECORD_BYTES: byteSize({ min: 2 ** 10, max: 2 ** 28 })
    .default(2 ** 20)
    .describe('largest event, bytes; a larger one becomes a dead letter'),
  TRAPLINE_RETENTION_DAYS_EVENTS: wholeNumber(DAYS).default(90).describe('days for which events are kept'),
  TRAPLINE_RETENTION_DAYS_DETECTIONS: wholeNumber(DAYS).default(730).describe('days for which detections are kept'),
  TRAPLINE_RETENTION_DAYS_DEAD_LETTERS: wholeNumber(DAYS).default(30).describe('days for which dead letters are kept'),
  TRAPLINE_RULES_FILE: text.optional().describe('file with thresholds, windows and exceptions of the rules, JSON'),
  TRAPLINE_SIGNAL_DIALECT: z
    .enum(SIGNAL_DIALECTS)
    .default('v1')
    .describe('accepted names of signals: v1 (SIGSEGV), or short (also Segv, as older detectors write)'),
};
