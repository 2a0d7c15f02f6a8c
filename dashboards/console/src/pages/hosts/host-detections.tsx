import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { listHeight } from '../../parts/list/list-height.ts';
import { type Column, RecordList } from '../../parts/list/record-list.tsx';
import { RowLink } from '../../parts/list/row-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { ruleName } from '../../parts/rules/rule-name.ts';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time/time-text.tsx';
import { rowValuesColumn } from '../../parts/values/row-values.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import {
  detectionNumbers,
  detectionTime,
  detectionValue,
  STATUS_TONES,
  subjectOf,
  titleOf,
} from '../detections/detection-columns.tsx';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.detections;

type Detection = Answer<'get', '/api/detections'>['data'][number];

const statusText = ({ status }: Detection) => DETECTIONS_TEXT.statuses[status];
const severityText = ({ severity }: Detection) => PARTS_TEXT.severities[severity];

const COLUMNS: readonly Column<Detection>[] = [
  {
    id: 'severity',
    header: TEXT.columns.severity,
    width: '5.2rem',
    wideOnly: true,
    cell: (detection) => detectionValue(detection, 'severity', severityText(detection), severityText(detection)),
  },
  {
    id: 'rule',
    header: TEXT.columns.rule,
    width: 'minmax(0, 2fr)',
    cell: (detection) => (
      <>
        <ValueActions
          name="rule"
          value={detection.rule.id}
          shown={ruleName(detection.rule)}
          list="/detections"
          subject={subjectOf(detection)}
          inRow
        >
          <RowLink to={{ to: '/detections/$id', params: { id: detection.id } }} label={titleOf(detection)}>
            {visible(ruleName(detection.rule))}
          </RowLink>
        </ValueActions>
        <PhoneLine>
          {severityText(detection)}, {detection.procname === null ? '' : `${visible(detection.procname)}, `}
          <TimeText at={detection.lastSeen} short />, {statusText(detection)}
        </PhoneLine>
      </>
    ),
  },
  {
    id: 'program',
    header: TEXT.columns.program,
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: (detection) =>
      detectionValue(
        detection,
        'procname',
        detection.procname,
        detection.procname === null ? '–' : visible(detection.procname),
      ),
  },
  {
    id: 'status',
    header: TEXT.columns.status,
    width: '8rem',
    wideOnly: true,
    cell: (detection) =>
      detectionValue(
        detection,
        'status',
        statusText(detection),
        <StatusBadge text={statusText(detection)} tone={STATUS_TONES[detection.status]} />,
      ),
  },
  {
    id: 'lastSeen',
    header: TEXT.columns.lastSeen,
    width: '8rem',
    wideOnly: true,
    cell: (detection) => detectionTime(detection, 'last', <TimeText at={detection.lastSeen} ago />),
  },
  rowValuesColumn<Detection>({
    list: '/detections',
    titleOf,
    subjectOf,
    valuesOf: (detection) => [
      { name: 'rule', label: TEXT.columns.rule, value: detection.rule.id, shown: ruleName(detection.rule) },
      {
        name: 'severity',
        label: TEXT.columns.severity,
        value: detection.severity,
        shown: severityText(detection),
      },
      { name: 'procname', label: TEXT.columns.program, value: detection.procname },
      { name: 'status', label: TEXT.columns.status, value: detection.status, shown: statusText(detection) },
      ...detectionNumbers(detection),
    ],
  }),
];

/** All detections on the host, newest first. */
export function HostDetections({ hostname }: { readonly hostname: string }) {
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    cursorList<Detection>(['detections', { hostname }], (cursor, signal) =>
      call('get', '/api/detections', { signal, query: defined({ hostname, cursor }) }),
    ),
  );
  return (
    <Section title={TEXT.title}>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        severity={({ severity }) => severity}
        onOpen={({ id }) => void navigate({ to: '/detections/$id', params: { id } })}
        empty={TEXT.empty}
        height={listHeight(query.data?.pages, 6)}
      />
    </Section>
  );
}
