import { Button, Code, Group, Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { durationText } from '../../parts/execution/duration.ts';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { limitsQuery, type WorkflowLimits } from './limit-queries.ts';
import { LIMITS_TEXT as TEXT } from './limits-text.ts';
import { PauseButton } from './pause-control.tsx';
import type { Workflow } from './queries.ts';

/** Maximum count of the API. */
const MAX_COUNTED = 10_000;

/** Limits of the workflow, and executions that wait for them. */
export function LimitsTab({ workflow: { name } }: { readonly workflow: Workflow }) {
  const { data, error, refetch } = useQuery(limitsQuery(name));
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
  const facts = factsOf(data.declared);
  return (
    <>
      <Section title={TEXT.declared} actions={<PauseButton workflow={name} />}>
        {facts.length === 0 ? <Text c="dimmed">{TEXT.none}</Text> : <Facts facts={facts} />}
      </Section>
      <Section
        title={TEXT.state}
        actions={
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            {TEXT.refresh}
          </Button>
        }
      >
        <Group gap="lg" mb="xs" role="status">
          {data.declared.concurrency !== undefined && <Text size="sm">{TEXT.holding(data.holding)}</Text>}
          <Text size="sm">
            {data.waiting === 0
              ? TEXT.nothingWaits
              : data.waiting >= MAX_COUNTED
                ? TEXT.atLeast(data.waiting)
                : TEXT.waiting(data.waiting)}
          </Text>
        </Group>
        {data.queues.length > 0 && <Queues queues={data.queues} />}
      </Section>
    </>
  );
}

function Queues({ queues }: { readonly queues: WorkflowLimits['queues'] }) {
  return (
    <Table aria-label={TEXT.queues}>
      <HeadRow
        columns={[
          TEXT.columns.reason,
          TEXT.columns.key,
          TEXT.columns.waiting,
          { label: TEXT.columns.inUse, wideOnly: true },
          { label: TEXT.columns.oldest, wideOnly: true },
          { label: TEXT.columns.next, wideOnly: true },
        ]}
      />
      <Table.Tbody>
        {queues.map(({ reason, key, waiting, holding, oldest, until }) => (
          <Table.Tr key={`${reason} ${key}`}>
            <Table.Td>{TEXT.reasons[reason] ?? reason}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {key === null ? TEXT.allKeys : <Code>{visible(key)}</Code>}
            </Table.Td>
            <Table.Td>{waiting}</Table.Td>
            <Table.Td visibleFrom="sm">{holding}</Table.Td>
            <Table.Td visibleFrom="sm">
              <TimeText at={oldest} ago />
            </Table.Td>
            <Table.Td visibleFrom="sm">{until === null ? '' : <TimeText at={until} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function factsOf(declared: WorkflowLimits['declared']): (readonly [string, ReactNode])[] {
  const { concurrency, throttle, debounce, batch, priority, retentionMs } = declared;
  const rows: readonly (readonly [string, ReactNode] | undefined)[] = [
    concurrency && [TEXT.names.concurrency, limit(TEXT.concurrency(concurrency.max), concurrency.key)],
    throttle && [
      TEXT.names.throttle,
      limit(TEXT.throttle(throttle.max, durationText(throttle.periodMs)), throttle.key),
    ],
    debounce && [
      TEXT.names.debounce,
      limit(TEXT.debounce(durationText(debounce.periodMs), durationText(debounce.maxDelayMs)), debounce.key),
    ],
    batch && [TEXT.names.batch, limit(TEXT.batch(batch.max, durationText(batch.periodMs)), batch.key)],
    priority === undefined
      ? undefined
      : [TEXT.names.priority, typeof priority === 'number' ? priority : expression(priority)],
    retentionMs === undefined ? undefined : [TEXT.names.retention, durationText(retentionMs)],
  ];
  return rows.filter((row) => row !== undefined);
}

function expression(text: string): ReactNode {
  return <Code>{visible(text)}</Code>;
}

function limit(text: string, key: string | undefined): ReactNode {
  if (key === undefined) return text;
  return (
    <>
      {`${text}, ${TEXT.perKey}`}
      {expression(key)}
    </>
  );
}
