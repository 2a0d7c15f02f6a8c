import { Checkbox, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DetectionSort } from '#schemas/api/detection-sort.ts';
import { numberText } from '../../language/numbers.ts';
import type { Column } from '../../parts/list/record-list.tsx';
import { RowLink } from '../../parts/list/row-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { ruleName } from '../../parts/rules/rule-name.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time/time-text.tsx';
import { minuteText } from '../../parts/time/time-words.ts';
import { type RowValue, rowValuesColumn } from '../../parts/values/row-values.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import type { Detection } from '../detection/detection-types.ts';
import { type ListView, orderOf } from './list-view.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.columns;

export const STATUS_TONES = { new: 'warning', acknowledged: 'active', closed: 'good' } as const;

/** The German word with its arrow needs more space than the English one. */
const SEVERITY_WIDTH = `${0.55 * TEXT.severity.length}rem`;

/** Height of a row, px: one line, on a phone two. */
export const rowHeight = (isWide: boolean): number => (isWide ? 32 : 44);

export interface RowSelection {
  readonly has: (id: string) => boolean;
  readonly toggle: (detection: Detection) => void;
  readonly toggleLoaded: () => void;
  /** State of the checkbox in the column header. */
  readonly loaded: 'all' | 'some' | 'none';
}

/**
 * The columns of the list. The first one selects rows. `onSort`: absent if the list cannot be sorted by its headers.
 */
export function detectionColumns(
  selection: RowSelection,
  view: ListView = {},
  onSort?: (sort: DetectionSort) => void,
): Column<Detection>[] {
  const sort = (by: DetectionSort) =>
    onSort && {
      sort: {
        active: (view.sort ?? 'lastSeen') === by,
        direction: orderOf(view) === 'asc' ? ('ascending' as const) : ('descending' as const),
        onSort: () => onSort(by),
      },
    };
  return [
    selectColumn(selection),
    {
      id: 'severity',
      header: TEXT.severity,
      width: SEVERITY_WIDTH,
      wideOnly: true,
      ...sort('severity'),
      cell: (detection) => action(detection, 'severity', PARTS_TEXT.severities[detection.severity]),
    },
    { id: 'rule', header: TEXT.rule, width: 'minmax(17.5rem, 1.6fr)', cell: ruleCell },
    {
      id: 'program',
      header: TEXT.program,
      width: 'minmax(4.5rem, 0.9fr)',
      wideOnly: true,
      cell: (detection) => action(detection, 'procname'),
    },
    {
      id: 'host',
      header: TEXT.host,
      width: 'minmax(0, 1.5fr)',
      wideOnly: true,
      ...sort('host'),
      cell: (detection) =>
        detection.hostname === null ? DETECTIONS_TEXT.place(null, detection.hostsTotal) : action(detection, 'hostname'),
    },
    {
      id: 'crashes',
      header: TEXT.crashes,
      width: '5.2rem',
      align: 'end',
      wideOnly: true,
      ...sort('crashes'),
      cell: (detection) => (
        <ValueActions
          name="crashes"
          by="number"
          value={detection.crashes}
          shown={() => numberText(detection.crashes)}
          list="/detections"
          subject={subjectOf(detection)}
          inRow
        >
          <span title={DETECTIONS_TEXT.crashesTitle(detection.crashes, detection.suppressedAtLeast)}>
            {numberText(detection.crashes)}
            {detection.suppressedAtLeast > 0 && (
              <Dimmed>{DETECTIONS_TEXT.unlogged(detection.suppressedAtLeast)}</Dimmed>
            )}
          </span>
        </ValueActions>
      ),
    },
    {
      id: 'first',
      header: TEXT.firstSeen,
      width: '5.8rem',
      wideOnly: 'large',
      cell: (detection) => detectionTime(detection, 'first', <TimeText at={detection.firstSeen} short />),
    },
    {
      id: 'last',
      header: TEXT.lastSeen,
      width: '5.8rem',
      wideOnly: true,
      ...sort('lastSeen'),
      cell: (detection) => detectionTime(detection, 'last', <TimeText at={detection.lastSeen} short />),
    },
    { id: 'status', header: TEXT.status, width: '7.4rem', wideOnly: true, cell: statusCell },
    {
      id: 'verdict',
      header: TEXT.verdict,
      width: 'minmax(5.2rem, 0.6fr)',
      wideOnly: 'large',
      cell: (detection) =>
        action(detection, 'verdict', detection.verdict && DETECTIONS_TEXT.verdicts[detection.verdict]),
    },
    {
      id: 'assignee',
      header: TEXT.assignee,
      width: 'minmax(4rem, 0.6fr)',
      wideOnly: 'desktop',
      cell: (detection) => action(detection, 'assignee'),
    },
    ROW_VALUES,
  ];
}

const ROW_VALUES = rowValuesColumn<Detection>({
  list: '/detections',
  titleOf,
  subjectOf: (detection) => subjectOf(detection),
  valuesOf: (detection) => [
    { name: 'rule', label: TEXT.rule, value: detection.rule.id, shown: ruleName(detection.rule) },
    {
      name: 'severity',
      label: TEXT.severity,
      value: detection.severity,
      shown: PARTS_TEXT.severities[detection.severity],
    },
    { name: 'procname', label: TEXT.program, value: detection.procname },
    { name: 'hostname', label: TEXT.host, value: detection.hostname },
    { name: 'status', label: TEXT.status, value: detection.status, shown: DETECTIONS_TEXT.statuses[detection.status] },
    {
      name: 'verdict',
      label: TEXT.verdict,
      value: detection.verdict,
      shown: detection.verdict && DETECTIONS_TEXT.verdicts[detection.verdict],
    },
    { name: 'assignee', label: TEXT.assignee, value: detection.assignee },
    ...detectionNumbers(detection),
  ],
});

/** Returns the numbers and times of a detection, for the row menu on a phone. */
export function detectionNumbers({ crashes, suppressedAtLeast, firstSeen, lastSeen }: Detection): readonly RowValue[] {
  const count = (name: string, label: string, value: number): RowValue => ({
    name,
    label,
    value,
    shown: numberText(value),
    by: 'number',
  });
  return [
    count('crashes', TEXT.crashes, crashes),
    ...(suppressedAtLeast === 0 ? [] : [count('suppressed', TEXT.unlogged, suppressedAtLeast)]),
    { name: 'first', label: TEXT.firstSeen, value: firstSeen, shown: minuteText(new Date(firstSeen)), by: 'moment' },
    { name: 'last', label: TEXT.lastSeen, value: lastSeen, shown: minuteText(new Date(lastSeen)), by: 'range' },
  ];
}

function selectColumn(selection: RowSelection): Column<Detection> {
  return {
    id: 'select',
    header: (
      <Checkbox
        size="xs"
        checked={selection.loaded === 'all'}
        indeterminate={selection.loaded === 'some'}
        onChange={selection.toggleLoaded}
        aria-label={TEXT.selectLoaded}
      />
    ),
    width: '1.25rem',
    cell: (detection) => (
      // A click on the checkbox must not reach the row, because the row would open the detection.
      <input
        type="checkbox"
        className="tl-check"
        tabIndex={-1}
        checked={selection.has(detection.id)}
        onChange={() => selection.toggle(detection)}
        onClick={(event) => event.stopPropagation()}
        aria-label={TEXT.selectRow(titleOf(detection))}
      />
    ),
  };
}

function ruleCell(detection: Detection): ReactNode {
  const { id, rule, status, severity, lastSeen } = detection;
  return (
    <>
      <ValueActions
        name="rule"
        value={rule.id}
        shown={ruleName(rule)}
        list="/detections"
        subject={subjectOf(detection)}
        inRow
      >
        <RowLink to={{ to: '/detections/$id', params: { id } }} label={titleOf(detection)}>
          {visible(ruleName(rule))}
        </RowLink>
      </ValueActions>
      <PhoneLine>
        {PARTS_TEXT.severities[severity]}, {placeOf(detection)}, <TimeText at={lastSeen} short />,{' '}
        {DETECTIONS_TEXT.statuses[status]}
      </PhoneLine>
    </>
  );
}

/** Shows the status. If the verdict has no column, a closed detection shows its verdict instead. */
function statusCell(detection: Detection): ReactNode {
  const { status, verdict, exception } = detection;
  const badge = <StatusBadge text={DETECTIONS_TEXT.statuses[status]} tone={STATUS_TONES[status]} />;
  return (
    <ValueActions
      name="status"
      value={status}
      shown={DETECTIONS_TEXT.statuses[status]}
      list="/detections"
      subject={subjectOf(detection)}
      inRow
    >
      {verdict === null ? (
        badge
      ) : (
        <>
          <span className="tl-large-only">{badge}</span>
          <span className="tl-not-large" title={DETECTIONS_TEXT.statuses[status]}>
            <VisuallyHidden>{DETECTIONS_TEXT.statuses[status]}: </VisuallyHidden>
            <StatusBadge text={DETECTIONS_TEXT.verdicts[verdict]} tone={STATUS_TONES[status]} />
          </span>
        </>
      )}
      {exception !== null && <Dimmed>{DETECTIONS_TEXT.silencedMark}</Dimmed>}
    </ValueActions>
  );
}

/** A value of a detection with its menu. Outside a row, the value itself is the menu button. */
export function detectionValue(
  detection: Detection,
  name: 'severity' | 'status' | 'procname' | 'hostname' | 'verdict' | 'assignee',
  text: string | null,
  children: ReactNode,
  inRow = true,
): ReactNode {
  return (
    <ValueActions
      name={name}
      value={detection[name]}
      shown={text}
      list="/detections"
      subject={subjectOf(detection)}
      inRow={inRow}
      asButton={!inRow}
    >
      {children}
    </ValueActions>
  );
}

/** A time of a detection with its menu. The list's time range applies to the latest evidence. */
export function detectionTime(
  detection: Detection,
  name: 'first' | 'last',
  children: ReactNode,
  inRow = true,
): ReactNode {
  const at = name === 'first' ? detection.firstSeen : detection.lastSeen;
  return (
    <ValueActions
      name={name}
      by={name === 'first' ? 'moment' : 'range'}
      value={at}
      shown={() => minuteText(new Date(at))}
      list="/detections"
      subject={subjectOf(detection)}
      inRow={inRow}
    >
      {children}
    </ValueActions>
  );
}

/** A value as text, or a dash without a value. */
function action(
  detection: Detection,
  name: 'severity' | 'procname' | 'hostname' | 'verdict' | 'assignee',
  text: string | null = detection[name],
): ReactNode {
  return detectionValue(detection, name, text, text === null ? '–' : visible(text));
}

/** Returns the record to which the values of a detection belong, for their menus. */
export const subjectOf = ({
  hostname,
  procname,
  firstSeen,
  lastSeen,
}: Pick<Detection, 'hostname' | 'procname' | 'firstSeen' | 'lastSeen'>) => ({
  hostname,
  procname,
  from: firstSeen,
  to: new Date(Date.parse(lastSeen) + 1).toISOString(),
});

function Dimmed({ children }: { readonly children: ReactNode }) {
  return (
    <Text span size="xs" c="dimmed" ms={4}>
      {children}
    </Text>
  );
}

export function titleOf({ rule, procname, hostname, hostsTotal }: Detection): string {
  return visible(DETECTIONS_TEXT.name(ruleName(rule), procname, DETECTIONS_TEXT.place(hostname, hostsTotal)));
}

function placeOf({ procname, hostname, hostsTotal }: Detection): string {
  return visible(DETECTIONS_TEXT.subject(procname, DETECTIONS_TEXT.place(hostname, hostsTotal)));
}
