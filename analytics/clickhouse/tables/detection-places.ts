import { name } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import type { DetectionTableRow } from './detection-records.ts';

type Row = Pick<DetectionTableRow, 'detection' | 'lastSeen' | 'receivedMs'>;

/**
 * The place in lists of each revision, which `detection_records` forgets when it merges. Without it, a reader who pages through the list would
 * miss a detection that moves to the front during it. The server writes a row with each revision; `landed` is its time, so that the clocks of
 * processes need not agree. A place is kept for 7 days, the longest time that a walk through a list may take.
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
