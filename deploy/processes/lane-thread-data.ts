import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Config } from '../config.ts';
import type { SharedByThreads } from './shared-by-threads.ts';

/** Start data of a lane thread. */
export interface LaneThreadData {
  readonly config: Pick<
    Config,
    | 'clickhouse'
    | 'pipeline'
    | 'signalDialect'
    | 'registry'
    | 'topicPrefix'
    | 'logLevel'
    | 'logFormat'
    | 'otlpLogs'
    | 'tracing'
  >;
  /** Number of threads that share the memory. */
  readonly threads: number;
  readonly shared: SharedByThreads;
  readonly settings: DetectionSettings;
}
