import './step-timeline.css';
import { Button, Table, Text, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { HeadRow } from '../head-row.tsx';
import { JsonText } from '../json-text.tsx';
import { durationText } from './duration.ts';
import { ExecutionStatus } from './status.tsx';
import type { TimelineRow } from './timeline.ts';

const TONES: Readonly<Record<string, string>> = {
  completed: 'low',
  failed: 'high',
  waiting: 'medium',
  cancelled: 'medium',
};
const SHOWN_AT_FIRST = 200;

/** Keeps the sign beside the name that it opens. */
const NO_BREAK = '\u00a0';

/** Steps with their bars over time; each opens to what went in and came out. */
export function StepTimeline({
  rows,
  actions,
}: {
  readonly rows: readonly TimelineRow[];
  /** What can be done with an opened step. */
  readonly actions?: (row: TimelineRow) => ReactNode;
}) {
  const [opened, setOpened] = useState<string>();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  if (rows.length === 0) return <Text c="dimmed">No step has begun yet.</Text>;
  return (
    <>
      <Table aria-label="Steps" layout="fixed">
        <HeadRow
          columns={[
            'Step',
            { label: 'State', w: { base: '6.3rem', sm: '7rem' } },
            { label: 'Took', w: { base: '5.2rem', sm: '6rem' } },
            { label: 'When', w: '40%', wideOnly: true },
          ]}
        />
        <Table.Tbody>
          {rows.slice(0, shown).map((row) => (
            <Fragment key={row.key}>
              <Table.Tr>
                <Table.Td style={{ paddingInlineStart: `${0.5 + Math.min(row.depth, 6) * 0.9}rem` }}>
                  <UnstyledButton
                    aria-expanded={opened === row.key}
                    onClick={() => setOpened(opened === row.key ? undefined : row.key)}
                  >
                    <Text span aria-hidden="true" c="dimmed">
                      {opened === row.key ? '▾' : '▸'}
                    </Text>
                    {NO_BREAK}
                    <b>{row.name}</b>{' '}
                    <Text span size="sm" c="dimmed">
                      {row.kind}
                      {row.attempt > 1 && `, try ${row.attempt}`}
                    </Text>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>
                  <ExecutionStatus status={row.status} />
                </Table.Td>
                <Table.Td>{row.durationMs === undefined ? '…' : durationText(row.durationMs)}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Bar row={row} />
                </Table.Td>
              </Table.Tr>
              {opened === row.key && (
                <Table.Tr>
                  <Table.Td colSpan={4}>
                    <Text size="xs" c="dimmed" className="tl-mono">
                      {row.step}
                    </Text>
                    {row.error !== undefined && <JsonText value={row.error} label="Error of the step" />}
                    {row.input !== undefined && <JsonText value={row.input} label="Input of the step" />}
                    {row.output !== undefined && <JsonText value={row.output} label="Output of the step" />}
                    {actions?.(row)}
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown && (
        <Button mt="xs" size="compact-sm" variant="default" onClick={() => setShown(shown + 5 * SHOWN_AT_FIRST)}>
          {rows.length - shown} more steps
        </Button>
      )}
    </>
  );
}

function Bar({ row: { from, width, status } }: { readonly row: TimelineRow }) {
  const tone = TONES[status] ?? 'info';
  return (
    <div className="tl-bar" aria-hidden="true">
      <span
        style={{
          insetInlineStart: `${from}%`,
          width: `${Math.min(width, 100 - from)}%`,
          background: `var(--tl-${tone})`,
          color: `var(--tl-${tone}-text)`,
        }}
      />
    </div>
  );
}
