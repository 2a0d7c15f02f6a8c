import type { Config } from '../config.ts';
import { type Check, look } from './check.ts';

/** Checks that ingesting processes receive the rule changes of administrators, which requires PostgreSQL. */
export function rulesChecks({ kafka, postgres, clickhouse }: Config): Check[] {
  // Without Kafka and ClickHouse there is no `ingest`, and `start` has its own PostgreSQL.
  if (kafka === undefined || clickhouse.url === undefined || postgres.url !== undefined) return [];
  return [
    {
      name: 'rules of ingest',
      advice: 'set DATABASE_URL',
      run: async () =>
        look(
          'those of TRAPLINE_RULES_FILE alone',
          'an `ingest` with this configuration sees neither thresholds nor exceptions that are set over HTTP: set DATABASE_URL for it too',
        ),
    },
  ];
}
