import { DETECTION_STATUSES, SEVERITIES, VERDICTS } from '#schemas/detection.ts';
import type { RecordKind } from '../../formats/record.ts';
import type { Column } from '../table.ts';
import { eventsTable } from '../tables/events.ts';
import type { SearchField, SearchFields } from './search-field.ts';

const name = (column: string): SearchField => ({ column, type: 'name' });
const nullableName = (column: string): SearchField => ({ column, type: 'name', nullable: true });
const number = (column: string): SearchField => ({ column, type: 'number' });

/** Returns the search field of a column. Throws if the search language has no comparison for its type. */
function fieldOf({ name: column, type }: Pick<Column<never>, 'name' | 'type'>): [name: string, field: SearchField] {
  const kind = type.startsWith('LowCardinality(') ? 'name' : type.includes('UInt64') ? 'number' : undefined;
  if (kind === undefined) throw new TypeError(`the column ${column} of type ${type} cannot be searchable`);
  return [column, { column, type: kind, ...(type.includes('Nullable(') ? { nullable: true } : {}) }];
}

const subject = {
  hostname: nullableName('hostname'),
  host: nullableName('hostname'),
  procname: nullableName('procname'),
  program: nullableName('procname'),
  file: nullableName('file'),
  register: nullableName('register'),
};

/** Duration from the first to the latest evidence of a detection. */
const WHOLE_SECONDS =
  'toUInt64(greatest(0, intDiv(toUnixTimestamp64Nano(lastSeen) - toUnixTimestamp64Nano(firstSeen), 1000000000)))';

/** Searchable fields by kind of record. Severities are in order, so that they can be compared. */
export const RECORD_FIELDS: Readonly<Record<RecordKind, SearchFields>> = {
  events: {
    text: ['raw'],
    byWords: true,
    fields: {
      ...subject,
      time: { column: 'timestamp', type: 'time' },
      received: { column: 'received', type: 'time' },
      ...Object.fromEntries(eventsTable.columns.filter(({ searchable }) => searchable).map(fieldOf)),
    },
  },
  detections: {
    text: ['message', "ifNull(note, '')", "ifNull(event, '')"],
    fields: {
      ...subject,
      id: name('id'),
      rule: name('rule.id'),
      severity: { column: 'severity', type: SEVERITIES },
      status: { column: 'status', type: DETECTION_STATUSES },
      verdict: { column: 'verdict', type: VERDICTS, nullable: true },
      assignee: nullableName('assignee'),
      note: { column: 'note', type: 'text', nullable: true },
      message: { column: 'message', type: 'text' },
      exception: nullableName('exception'),
      executable: nullableName('executable'),
      build_id: nullableName('buildId'),
      uid: { ...number('uid'), nullable: true },
      parent: nullableName('parent'),
      unit: nullableName('unit'),
      container: nullableName('container'),
      pod: nullableName('pod'),
      revision: number('revision'),
      crashes: number('crashes'),
      suppressed: number('suppressedAtLeast'),
      evidence: number('evidenceCount'),
      values: number('valuesTotal'),
      duration: number(WHOLE_SECONDS),
      value: { column: 'values', type: 'list' },
      technique: { column: 'attack.technique', type: 'list' },
      tactic: { column: 'attack.tactic', type: 'list' },
      first: { column: 'firstSeen', type: 'time' },
      last: { column: 'lastSeen', type: 'time' },
    },
  },
  'dead-letters': {
    text: ['raw', 'message', 'path'],
    fields: {
      code: name('code'),
      path: name('path'),
      message: { column: 'message', type: 'text' },
      topic: name('topic'),
      partition: number('partition'),
      offset: number('offset'),
      received: { column: 'received', type: 'time' },
    },
  },
};
