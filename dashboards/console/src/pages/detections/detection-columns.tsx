import { Box, Checkbox, Text, VisuallyHidden } from '@mantine/core';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import type { Detection } from '../detection/detection-types.ts';

export const STATUS_TONES = { new: 'warning', acknowledged: 'neutral', closed: 'good' } as const;

/** The columns of the list; the first selects. Long: the markup of each column. */
export function detectionColumns(selection: {
  readonly has: (id: string) => boolean;
  readonly toggle: (detection: Detection) => void;
}): Column<Detection>[] {
  return [
    {
      id: 'select',
      header: <VisuallyHidden>Select</VisuallyHidden>,
      width: '1.5rem',
      cell: (detection) => (
        // A click on the box is not one on the row, which would open it.
        <Checkbox
          size="xs"
          tabIndex={-1}
          checked={selection.has(detection.id)}
          onChange={() => selection.toggle(detection)}
          onClick={(event) => event.stopPropagation()}
          aria-label={`Select ${titleOf(detection)}`}
        />
      ),
    },
    {
      id: 'severity',
      header: 'Severity',
      width: '5.2rem',
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'what',
      header: 'What',
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
            {/* Which program on which host is what tells one from the next. */}
            <Box component="span" hiddenFrom="sm">
              {subjectOf(detection)}
            </Box>
          </PageLink>
          <Text size="xs" c="dimmed" truncate lh={1.25} visibleFrom="sm">
            {visible(detection.message)}
          </Text>
          <PhoneLine>
            {detection.status}, <TimeText at={detection.lastSeen} ago />, {detection.rule.name}
          </PhoneLine>
        </>
      ),
    },
    {
      id: 'crashes',
      header: 'Crashes',
      width: '8.2rem',
      wideOnly: true,
      cell: ({ crashes, suppressedAtLeast }) => (
        <Text size="sm">
          {crashes.toLocaleString()}
          {suppressedAtLeast > 0 && ` + ${suppressedAtLeast.toLocaleString()} hidden`}
        </Text>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      width: '7.4rem',
      wideOnly: true,
      cell: ({ status }) => <StatusBadge text={status} tone={STATUS_TONES[status]} />,
    },
    {
      id: 'assignee',
      header: 'Assignee',
      width: '5.5rem',
      wideOnly: true,
      cell: ({ assignee, exception }) => <Text size="sm">{assignee ?? (exception === null ? '–' : 'silenced')}</Text>,
    },
    {
      id: 'last',
      header: 'Latest',
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

export function titleOf(detection: Detection): string {
  return `${detection.rule.name}: ${subjectOf(detection)}`;
}

function subjectOf({ procname, hostname }: Detection): string {
  return visible(`${procname ?? 'no program'} on ${hostname ?? 'an unnamed host'}`);
}
