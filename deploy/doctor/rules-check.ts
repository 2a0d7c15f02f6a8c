import type { Config } from '../config.ts';
import { type Check, look } from './check.ts';

/** Whether processes that judge get the changes of administrators: only processes with PostgreSQL do. */
export function rulesChecks({ kafka, postgres, clickhouse }: Config): Check[] {
  // Without both there is no `ingest`, and `start` has its own PostgreSQL.
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
