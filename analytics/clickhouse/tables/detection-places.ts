import { milliseconds, nanoseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import type { DetectionTableRow } from './detection-records.ts';

type Row = Pick<DetectionTableRow, 'detection' | 'lastSeen' | 'receivedMs'>;

/** Days that a place is kept, as its table's TTL says: for so long after it began, a walk through a list finds where each detection stood. */
export const PLACES_DAYS = 7;

/**
 * Where each revision of a detection stood in lists, which `detection_records` forgets as it merges: a detection that grows moves to the front, and whoever is
 * in the middle of a list would never come upon it. The server writes it with the revision; `landed` is by its clock, so that processes need not agree on theirs.
 */
export const detectionPlacesTable: Table<Row> = {
  name: 'detection_places',
  columns: [
    column('id', text, (r: Row) => r.detection.id),
    column('revision', uint64, (r: Row) => r.detection.revision),
    column('lastSeen', nanoseconds, (r: Row) => r.lastSeen),
    column('landed', milliseconds, (r: Row) => r.receivedMs),
  ],
};
