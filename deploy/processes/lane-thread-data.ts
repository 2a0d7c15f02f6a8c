import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Config } from '../config.ts';
import type { SharedByThreads } from './shared-by-threads.ts';

/** What a thread of lanes is started with. */
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
  /** As many share the memory. */
  readonly threads: number;
  readonly shared: SharedByThreads;
  readonly settings: DetectionSettings;
}
