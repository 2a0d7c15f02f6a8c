import { Button, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Body, callForHeaders } from '../../api/client.ts';
import { isOvertaken } from '../../api/failure.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { ForeignChanges } from '../../parts/foreign-changes.tsx';
import { Overtaken } from '../../parts/overtaken.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { type Agent, readAgent } from './queries.ts';

type Change = Body<'patch', '/api/v1/agents/{agentId}'>;

type Configuration = Pick<Agent, 'name' | 'description' | 'visibility' | 'archived' | 'config'>;

/** What is asked of the API to change it: what differs. */
function changeOf(before: Configuration, after: Configuration): NonNullable<Change> {
  const names = (Object.keys(after) as (keyof Configuration)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}

function configurationText({ name, description, visibility, archived, config }: Configuration): string {
  return JSON.stringify({ name, description, visibility, archived, config }, null, 2);
}

/** What the agent is called, who may run it, and how it runs. Executions keep the configuration they were started with. */
export function ConfigurationTab({ agent }: { readonly agent: Agent }) {
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description);
  const [visibility, setVisibility] = useState(agent.visibility);
  const [archived, setArchived] = useState(agent.archived);
  const [config, setConfig] = useState(() => JSON.stringify(agent.config, null, 2));
  /** What the form was begun upon, and what somebody else made of it. */
  const [base, setBase] = useState(agent);
  const [now, setNow] = useState<Agent>();
  const [failure, setFailure] = useState<unknown>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();

  function show(stored: Agent) {
    setBase(stored);
    setName(stored.name);
    setDescription(stored.description);
    setVisibility(stored.visibility);
    setArchived(stored.archived);
    setConfig(JSON.stringify(stored.config, null, 2));
  }

  async function save(over = base) {
    setFailure(undefined);
    setNow(undefined);
    setWrong(undefined);
    let parsed: NonNullable<Change['config']>;
    try {
      parsed = JSON.parse(config) as NonNullable<Change['config']>;
    } catch (error) {
      return setWrong(error instanceof Error ? error.message : 'JSON is expected');
    }
    setBusy(true);
    try {
      const { value, headers } = await callForHeaders('patch', '/api/v1/agents/{agentId}', {
        path: { agentId: agent.id },
        headers: over.etag === null ? {} : { 'if-match': over.etag },
        body: changeOf(base, { name, description, visibility, archived, config: parsed }),
      });
      setBase({ ...value.agent, etag: headers.get('etag') });
      await queries.invalidateQueries({ queryKey: ['agents'] });
      showDone('The agent is as you say');
    } catch (error) {
      if (isOvertaken(error)) setNow((await readAgent(agent.id).catch(setFailure)) ?? undefined);
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="sm" maw="48rem">
      <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.currentTarget.value)} />
      <Textarea
        label="What it does"
        autosize
        minRows={2}
        maxLength={10_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <NativeSelect
        label="Who may run it"
        value={visibility}
        data={[
          { value: 'private', label: 'Only you, and administrators' },
          { value: 'shared', label: 'Everybody who may run agents' },
        ]}
        onChange={(event) => setVisibility(event.currentTarget.value === 'shared' ? 'shared' : 'private')}
      />
      <Switch
        label="Archived: not run and not listed"
        checked={archived}
        onChange={(event) => setArchived(event.currentTarget.checked)}
      />
      <CodeEditor label="Configuration (JSON)" value={config} onChange={setConfig} />
      {wrong !== undefined && <div role="alert">The configuration is no JSON: {wrong}</div>}
      {now !== undefined && (
        <Overtaken
          busy={busy}
          onInsist={() => void save(now)}
          onYield={() => {
            show(now);
            setNow(undefined);
          }}
        >
          <ForeignChanges before={configurationText(base)} now={configurationText(now)} />
        </Overtaken>
      )}
      {failure !== undefined && <FailureNotice error={failure} />}
      <Group>
        <Button onClick={() => void save()} loading={busy}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
