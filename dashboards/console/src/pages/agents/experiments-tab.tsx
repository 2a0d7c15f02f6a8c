import { Button, Group, Loader, NativeSelect, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { experimentsQuery, versionsQuery } from './experiment-queries.ts';
import { ExperimentSection } from './experiment-section.tsx';
import { type Agent, agentKey } from './queries.ts';

const TEXT = EVALUATION_TEXT.experiments;
const agentRoute = getRouteApi('/_signed-in/agents/$id/');

type Wanted = NonNullable<Body<'post', '/api/v1/agents/{agentId}/experiments'>>;
type Config = NonNullable<Wanted['candidate']['config']>;

/** Experiments of an agent, and the result of one. */
export function ExperimentsTab({ agent }: { readonly agent: Agent }) {
  const { experiment } = agentRoute.useSearch();
  const navigate = useNavigate({ from: '/agents/$id/' });
  const { data, error, refetch } = useQuery(experimentsQuery(agent.slug));
  const [isNew, setNew] = useState(false);
  const open = (id: string) => void navigate({ search: { tab: 'experiments', experiment: id } });
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
  return (
    <>
      {isNew ? (
        <NewExperiment agent={agent} onStarted={open} onCancel={() => setNew(false)} />
      ) : (
        <Button mb="sm" onClick={() => setNew(true)}>
          {TEXT.create}
        </Button>
      )}
      {experiment !== undefined && <ExperimentSection key={experiment} agentId={agent.slug} id={experiment} />}
      {data.data.length === 0 ? (
        <Text c="dimmed">{TEXT.empty}</Text>
      ) : (
        <Table aria-label={TEXT.list}>
          <HeadRow
            columns={[
              TEXT.columns.name,
              TEXT.columns.baseline,
              TEXT.columns.candidate,
              { label: TEXT.columns.examples, wideOnly: true },
              { label: TEXT.columns.started, wideOnly: true },
            ]}
          />
          <Table.Tbody>
            {data.data.map(({ id, name, baseline, candidate, examples, createdAt }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <UnstyledButton onClick={() => open(id)} aria-current={id === experiment}>
                    <b>{visible(name)}</b>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>{armText(baseline)}</Table.Td>
                <Table.Td>{armText(candidate)}</Table.Td>
                <Table.Td visibleFrom="sm">{examples}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <TimeText at={createdAt} ago />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

function armText({ version, config }: { readonly version: number; readonly config: object }): string {
  const keys = Object.keys(config).map(visible);
  return keys.length === 0 ? TEXT.version(version) : TEXT.versionWith(version, keys.join(', '));
}

/** Long: the markup of one form. */
function NewExperiment({
  agent: { slug, latestVersion },
  onStarted,
  onCancel,
}: {
  readonly agent: Agent;
  readonly onStarted: (id: string) => void;
  readonly onCancel: () => void;
}) {
  const queries = useQueryClient();
  const latest = latestVersion ?? 1;
  const { data: known } = useQuery(versionsQuery(slug));
  const versions = known?.data.map(({ version }) => String(version)) ?? [String(latest)];
  const [name, setName] = useState('');
  const [baseline, setBaseline] = useState(String(Math.max(1, latest - 1)));
  const [candidate, setCandidate] = useState(String(latest));
  const [config, setConfig] = useState('{}');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function start() {
    setBusy(true);
    setFailure(undefined);
    try {
      const changed = JSON.parse(config) as Config;
      const body: Wanted = {
        name: name.trim(),
        baseline: { version: Number(baseline) },
        candidate: {
          version: Number(candidate),
          ...(Object.keys(changed).length === 0 ? {} : { config: changed }),
        },
      };
      const { id } = await call('post', '/api/v1/agents/{agentId}/experiments', { path: { agentId: slug }, body });
      await queries.invalidateQueries({ queryKey: agentKey(slug) });
      onCancel();
      onStarted(id);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={TEXT.create}>
      <Stack gap="sm" maw="48rem">
        <TextInput
          label={TEXT.name}
          placeholder={TEXT.namePlaceholder}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label={TEXT.columns.baseline}
            value={baseline}
            data={versions.map((value) => ({ value, label: TEXT.version(Number(value)) }))}
            onChange={(event) => setBaseline(event.currentTarget.value)}
          />
          <NativeSelect
            label={TEXT.columns.candidate}
            value={candidate}
            data={versions.map((value) => ({ value, label: TEXT.version(Number(value)) }))}
            onChange={(event) => setCandidate(event.currentTarget.value)}
          />
        </Group>
        <CodeEditor label={TEXT.config} value={config} onChange={setConfig} />
        {failure instanceof SyntaxError ? (
          <div role="alert">{EVALUATION_TEXT.invalidJson(failure.message)}</div>
        ) : (
          failure !== undefined && <FailureNotice error={failure} />
        )}
        <Group>
          <Button onClick={() => void start()} loading={busy} disabled={name.trim() === ''}>
            {TEXT.start}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {TEXT.cancel}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
