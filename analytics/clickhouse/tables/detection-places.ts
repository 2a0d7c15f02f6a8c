import { name } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import type { DetectionTableRow } from './detection-records.ts';

type Row = Pick<DetectionTableRow, 'detection' | 'lastSeen' | 'receivedMs'>;

/**
 * The list place of each revision. `detection_records` loses old revisions when it merges. Without the places, a client
 * that pages through the list would miss a detection that moves to the front in between. The server writes a row per
 * revision. `landed` is the server's time, so that the clocks of processes need not agree. Places are kept for 7 days,
 * the maximum duration of a walk through a list.
 */
export const detectionPlacesTable: Table<Row> = {
  name: 'detection_places',
  columns: [
    column('id', text, (r: Row) => r.detection.id),
    column('revision', uint64, (r: Row) => r.detection.revision),
    column('lastSeen', nanoseconds, (r: Row) => r.lastSeen),
    column('severity', name, (r: Row) => r.detection.severity),
    column('crashes', uint64, (r: Row) => r.detection.crashes),
    column('landed', milliseconds, (r: Row) => r.receivedMs),
  ],
};
