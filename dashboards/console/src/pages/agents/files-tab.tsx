import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { DiffView } from '../../parts/diff/diff-view.tsx';
import { lineDiff } from '../../parts/diff/line-diff.ts';
import { sizeText } from '../../parts/execution/duration.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { type AgentExecution, agentExecutionKey, fileAddress, textQuery } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';

const TEXT = AGENT_RUNS_TEXT.files;

type Kind = 'input' | 'output' | 'issues' | 'trace' | 'expected';
interface Opened {
  readonly kind: Kind;
  readonly name: string;
  /** True if it is compared with the expected file of the same name. */
  readonly compared: boolean;
}

/** Larger files can only be downloaded. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** The files of a run. Shows, downloads and compares them, and saves them as expected files. */
export function FilesTab({
  execution: { id, files = [], expectedFiles = [] },
}: {
  readonly execution: AgentExecution;
}) {
  const [opened, setOpened] = useState<Opened>();
  const queries = useQueryClient();
  const expected = new Set(expectedFiles.map(({ name }) => name));

  async function change(done: string, work: Promise<unknown>) {
    try {
      await work;
      await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
      showDone(done);
    } catch (error) {
      showFailure(error);
    }
  }
  const expect = (name: string) =>
    change(
      TEXT.expected(name),
      send(`/api/v1/agents/executions/${encodeURIComponent(id)}/expected`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ outputFileName: name }),
      }),
    );
  const stopExpecting = (name: string) =>
    change(TEXT.notExpected(name), send(fileAddress(id, 'expected', name), { method: 'DELETE' }));

  if (files.length + expectedFiles.length === 0) return <Text c="dimmed">{TEXT.empty}</Text>;
  const rows: readonly {
    readonly kind: Kind;
    readonly name: string;
    /** Original name of an uploaded file. */
    readonly filename?: string;
    readonly size?: number;
  }[] = [...files, ...expectedFiles.map(({ name }) => ({ kind: 'expected' as const, name }))];
  return (
    <>
      <Table aria-label={TEXT.list}>
        <HeadRow
          columns={[
            TEXT.columns.name,
            TEXT.columns.kind,
            { label: TEXT.columns.size, wideOnly: true },
            TEXT.columns.actions,
          ]}
        />
        <Table.Tbody>
          {rows.map(({ kind, name, filename, size }) => (
            <Table.Tr key={`${kind} ${name}`}>
              <Table.Td>
                <Anchor href={fileAddress(id, kind, name)} download size="sm">
                  {name}
                </Anchor>
                {filename !== undefined && filename !== name && (
                  <Text size="xs" c="dimmed">
                    {filename}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{TEXT.kinds[kind]}</Table.Td>
              <Table.Td visibleFrom="sm">{size === undefined ? '' : sizeText(size)}</Table.Td>
              <Table.Td>
                <Group gap="xs">
                  {(size ?? 0) <= MAX_SHOWN_BYTES && (
                    <Action
                      text={TEXT.show}
                      of={TEXT.named(kind, name)}
                      onClick={() => setOpened({ kind, name, compared: false })}
                    />
                  )}
                  {kind === 'output' && expected.has(name) && (
                    <Action text={TEXT.compare} of={name} onClick={() => setOpened({ kind, name, compared: true })} />
                  )}
                  {kind === 'output' && <Action text={TEXT.expect} of={name} onClick={() => void expect(name)} />}
                  {kind === 'expected' && (
                    <Action text={TEXT.stopExpecting} of={name} onClick={() => void stopExpecting(name)} />
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {opened !== undefined && (
        <Shown key={`${opened.kind} ${opened.name} ${opened.compared}`} executionId={id} opened={opened} />
      )}
    </>
  );
}

function Action({ text, of, onClick }: { readonly text: string; readonly of: string; readonly onClick: () => void }) {
  return (
    <Button size="compact" variant="default" aria-label={TEXT.action(text, of)} onClick={onClick}>
      {text}
    </Button>
  );
}

function Shown({
  executionId,
  opened: { kind, name, compared },
}: {
  readonly executionId: string;
  readonly opened: Opened;
}) {
  const actual = useQuery(textQuery(fileAddress(executionId, kind, name)));
  const expected = useQuery({ ...textQuery(fileAddress(executionId, 'expected', name)), enabled: compared });
  const error = actual.error ?? expected.error;
  if (error) return <FailureNotice error={error} />;
  if (actual.data === undefined || (compared && expected.data === undefined))
    return <Text role="status">{TEXT.loading}</Text>;
  return (
    <section aria-label={name} style={{ marginTop: '1rem' }}>
      {compared ? (
        <>
          <Text size="sm" c="dimmed" mb={4}>
            {TEXT.legend}
          </Text>
          <DiffView lines={lineDiff(expected.data ?? '', actual.data)} label={TEXT.difference(name)} />
        </>
      ) : (
        <pre
          role="region"
          aria-label={TEXT.text(name)}
          tabIndex={0}
          className="tl-mono"
          style={{ overflow: 'auto', maxHeight: '36rem', margin: 0, whiteSpace: 'pre-wrap' }}
        >
          {actual.data}
        </pre>
      )}
    </section>
  );
}
