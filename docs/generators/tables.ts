import { apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import { deadLetterRecordsTable } from '#analytics/clickhouse/tables/dead-letter-records.ts';
import { deadLetterRedrivesTable } from '#analytics/clickhouse/tables/dead-letter-redrives.ts';
import { detectionPlacesTable } from '#analytics/clickhouse/tables/detection-places.ts';
import { detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { detectionSilencesTable } from '#analytics/clickhouse/tables/detection-silences.ts';
import { detectionTracesTable } from '#analytics/clickhouse/tables/detection-traces.ts';
import { detectionTriageTable } from '#analytics/clickhouse/tables/detection-triage.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { trackerSnapshotsTable } from '#analytics/clickhouse/tables/tracker-snapshots.ts';
import { generatedPage, table } from './markdown.ts';

/** What each table of ClickHouse holds. */
const TABLES = [
  { of: eventsTable, holds: 'Accepted events, each once.' },
  { of: detectionRecordsTable, holds: 'Each revision of each detection.' },
  { of: detectionPlacesTable, holds: 'The order of detections in lists.' },
  { of: detectionTriageTable, holds: 'Decisions of analysts, copied from PostgreSQL.' },
  { of: detectionSilencesTable, holds: 'Which detections an exception silences.' },
  { of: detectionTracesTable, holds: 'Traces of OpenTelemetry that made detections begin or grow.' },
  { of: deadLetterRecordsTable, holds: 'Refused records with their raw bytes and the reason.' },
  { of: deadLetterRedrivesTable, holds: 'Redrives of dead letters and their outcome.' },
  { of: trackerSnapshotsTable, holds: 'Snapshots of the tracker, for restarts.' },
  { of: apiRequestsTable, holds: 'One row per request of the HTTP API.' },
] as const;

/** The page of the tables in ClickHouse, from the files that insert into them. */
export function tablesPage(): string {
  const sections = TABLES.map(({ of, holds }) => {
    const columns: readonly { readonly name: string; readonly type: string; readonly searchable?: true }[] = of.columns;
    const rows = columns.map(({ name, type, searchable }) => [
      `\`${name}\``,
      `\`${type}\``,
      searchable === true ? 'yes' : '',
    ]);
    return `## ${of.name}\n\n${holds}\n\n${table(['Column', 'Type', 'Searchable'], rows)}`;
  });
  const introduction =
    'The tables that Trapline inserts into. Read them with any ClickHouse client; write them only through Trapline. Views for queries are built on them by the migrations.';
  return `${generatedPage('ClickHouse tables', introduction)}\n${sections.join('\n')}`;
}
