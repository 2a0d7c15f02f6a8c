import { Box, Checkbox, Group, Text, VisuallyHidden } from '@mantine/core';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { ruleName } from '../../parts/rule-name.ts';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import type { Detection } from '../detection/detection-types.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.columns;

export const STATUS_TONES = { new: 'warning', acknowledged: 'neutral', closed: 'good' } as const;

/** The columns of the list; the first selects rows. Long: the markup of each column. */
export function detectionColumns(selection: {
  readonly has: (id: string) => boolean;
  readonly toggle: (detection: Detection) => void;
}): Column<Detection>[] {
  return [
    {
      id: 'select',
      header: <VisuallyHidden>{TEXT.select}</VisuallyHidden>,
      width: '1.5rem',
      cell: (detection) => (
        // A click on the checkbox must not reach the row, which would open the detection.
        <Checkbox
          size="xs"
          tabIndex={-1}
          checked={selection.has(detection.id)}
          onChange={() => selection.toggle(detection)}
          onClick={(event) => event.stopPropagation()}
          aria-label={TEXT.selectRow(titleOf(detection))}
        />
      ),
    },
    {
      id: 'severity',
      header: TEXT.severity,
      width: '5.2rem',
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'detection',
      header: TEXT.detection,
      width: 'minmax(0, 1fr)',
      cell: (detection) => (
        <>
          <PageLink
            to="/detections/$id"
            params={{ id: detection.id }}
            aria-label={titleOf(detection)}
            tabIndex={-1}
            size="sm"
            fw={600}
            display="block"
            truncate
            lh={1.25}
            onClick={(event) => event.stopPropagation()}
          >
            <Box component="span" visibleFrom="sm">
              {titleOf(detection)}
            </Box>
            {/* On a phone, program and host distinguish the rows. */}
            <Box component="span" hiddenFrom="sm">
              {subjectOf(detection)}
            </Box>
          </PageLink>
          <Text size="xs" c="dimmed" truncate lh={1.25} visibleFrom="sm">
            {visible(detection.message)}
          </Text>
          <PhoneLine>
            {DETECTIONS_TEXT.statuses[detection.status]}, <TimeText at={detection.lastSeen} ago />,{' '}
            {visible(ruleName(detection.rule))}
          </PhoneLine>
        </>
      ),
    },
    {
      id: 'crashes',
      header: TEXT.crashes,
      width: '8.2rem',
      wideOnly: 'desktop',
      cell: ({ crashes, suppressedAtLeast }) => (
        <>
          <Text size="sm" lh={1.25} truncate>
            {DETECTIONS_TEXT.logged(crashes, suppressedAtLeast)}
          </Text>
          {suppressedAtLeast > 0 && (
            <Text size="xs" c="dimmed" lh={1.25} truncate>
              {DETECTIONS_TEXT.notLogged(suppressedAtLeast)}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'status',
      header: TEXT.status,
      width: '7.4rem',
      wideOnly: true,
      cell: ({ status, exception }) => (
        <Group gap={4} wrap="nowrap">
          <StatusBadge text={DETECTIONS_TEXT.statuses[status]} tone={STATUS_TONES[status]} />
          {exception !== null && <StatusBadge text={DETECTIONS_TEXT.silenced} />}
        </Group>
      ),
    },
    {
      id: 'assignee',
      header: TEXT.assignee,
      width: '5.5rem',
      wideOnly: 'desktop',
      cell: ({ assignee }) => <Text size="sm">{assignee ?? '–'}</Text>,
    },
    {
      id: 'last',
      header: TEXT.lastSeen,
      width: '7rem',
      wideOnly: true,
      cell: ({ lastSeen }) => (
        <Text size="sm" truncate>
          <TimeText at={lastSeen} ago />
        </Text>
      ),
    },
  ];
}

export function titleOf({ rule, procname, hostname, hostsTotal }: Detection): string {
  return visible(DETECTIONS_TEXT.name(ruleName(rule), procname, DETECTIONS_TEXT.place(hostname, hostsTotal)));
}

function subjectOf({ procname, hostname, hostsTotal }: Detection): string {
  return visible(DETECTIONS_TEXT.subject(procname, DETECTIONS_TEXT.place(hostname, hostsTotal)));
}
