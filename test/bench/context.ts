import type { ClickHouseService } from '../support/services/clickhouse.ts';
import type { KafkaService } from '../support/services/kafka-broker.ts';
import type { StorePids } from './processes.ts';

/** Input of every benchmark of the whole system. */
export interface BenchContext {
  readonly kafka: KafkaService;
  readonly clickHouse: ClickHouseService;
  readonly stores: StorePids;
  /** Events of one throughput run. */
  readonly events: number;
  /** Events of a table that is only read. */
  readonly stored: number;
  /** Rounds of each side. */
  readonly rounds: number;
  /** Prints the progress to the terminal. */
  readonly progress: (text: string) => void;
}
