import './step-timeline.css';
import { Button, Table, Text, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { JsonText } from '../json-text.tsx';
import { HeadRow } from '../list/head-row.tsx';
import { durationText } from './duration.ts';
import { ExecutionStatus } from './status.tsx';
import { EXECUTION_TEXT } from './text.ts';
import type { TimelineRow } from './timeline.ts';

const TEXT = EXECUTION_TEXT;

const TONES: Readonly<Record<string, string>> = {
  completed: 'low',
  failed: 'high',
  waiting: 'medium',
  cancelled: 'medium',
};
const SHOWN_AT_FIRST = 200;

/** Keeps the sign and the step name on one line. */
const NO_BREAK = '\u00a0';

/** Steps with their bars over time. Each step expands to its input and output. */
export function StepTimeline({
  rows,
  actions,
}: {
  readonly rows: readonly TimelineRow[];
  /** Actions of an expanded step. */
  readonly actions?: (row: TimelineRow) => ReactNode;
}) {
  const [opened, setOpened] = useState<string>();
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  if (rows.length === 0) return <Text c="dimmed">{TEXT.noSteps}</Text>;
  return (
    <>
      <Table aria-label={TEXT.steps} layout="fixed">
        <HeadRow
          columns={[
            TEXT.columns.step,
            { label: TEXT.columns.status, w: { base: '8.4rem', sm: '9rem' } },
            { label: TEXT.columns.duration, w: { base: '4.6rem', sm: '6rem' } },
            { label: TEXT.columns.timeline, w: '40%', wideOnly: true },
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
                      {row.attempt > 1 && TEXT.attempt(row.attempt)}
                    </Text>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>
                  <ExecutionStatus status={row.status} />
                </Table.Td>
                <Table.Td>{row.durationMs === undefined ? TEXT.running : durationText(row.durationMs)}</Table.Td>
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
                    {row.error !== undefined && <JsonText value={row.error} label={TEXT.error} />}
                    {row.input !== undefined && <JsonText value={row.input} label={TEXT.input} />}
                    {row.output !== undefined && <JsonText value={row.output} label={TEXT.output} />}
                    {actions?.(row)}
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown && (
        <Button mt="xs" size="compact" variant="default" onClick={() => setShown(shown + 5 * SHOWN_AT_FIRST)}>
          {TEXT.more(rows.length - shown)}
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
