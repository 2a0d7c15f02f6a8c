import { Anchor, Group, Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { durationText } from '../../parts/execution/duration.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type AgentExecution, fileAddress, textQuery } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';
import { traceEntries } from './trace-entry.ts';

const TRACE = 'trace.jsonl';

const TEXT = AGENT_RUNS_TEXT.trace;

/** The trace of a run: calls of tools and of the model, and log lines. */
export function TraceTab({ execution: { id, files = [] } }: { readonly execution: AgentExecution }) {
  const address = fileAddress(id, 'trace', TRACE);
  const there = files.some(({ kind }) => kind === 'trace');
  const { data, error, refetch } = useQuery({ ...textQuery(address), enabled: there });
  if (!there) return <Text c="dimmed">{TEXT.none}</Text>;
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
  return (
    <>
      <Group justify="flex-end" mb="xs">
        <Anchor href={address} download size="sm">
          {TEXT.download(TRACE)}
        </Anchor>
      </Group>
      <Table aria-label={TEXT.label} layout="fixed">
        <HeadRow
          columns={[
            { label: TEXT.columns.after, w: { base: '4rem', sm: '6rem' } },
            { label: TEXT.columns.kind, w: '6rem' },
            TEXT.columns.details,
            { label: TEXT.columns.duration, w: '5rem', wideOnly: true },
          ]}
        />
        <Table.Tbody>
          {traceEntries(data).map(({ key, afterMs, type, title, tookMs, failed, fields }) => (
            <Table.Tr key={key}>
              <Table.Td>{durationText(afterMs)}</Table.Td>
              <Table.Td>
                <StatusBadge text={failed ? TEXT.failed(type) : type} tone={failed ? 'bad' : 'neutral'} />
              </Table.Td>
              <Table.Td>
                {Object.keys(fields).length === 0 ? (
                  title
                ) : (
                  <details>
                    <summary>{title}</summary>
                    <JsonText value={fields} label={TEXT.details(title)} />
                  </details>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">{tookMs === undefined ? '' : durationText(tookMs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
