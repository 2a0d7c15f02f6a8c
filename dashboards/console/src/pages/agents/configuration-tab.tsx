import { Button, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Body, callForHeaders } from '../../api/client.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OvertakenSave } from '../../parts/overtaken-save.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { useSaveOver } from '../../parts/use-save-over.ts';
import { type Agent, readAgent } from './queries.ts';

type Change = NonNullable<Body<'patch', '/api/v1/agents/{agentId}'>>;
type Config = NonNullable<Change['config']>;

type Configuration = Pick<Agent, 'name' | 'description' | 'visibility' | 'archived' | 'config'>;

/** What is asked of the API to change it: what differs. */
function changeOf(before: Configuration, after: Configuration): Change {
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
  /** What the form was begun upon. */
  const [base, setBase] = useState(agent);
  const [wrong, setWrong] = useState<string>();
  const queries = useQueryClient();

  function show(stored: Agent) {
    setBase(stored);
    setName(stored.name);
    setDescription(stored.description);
    setVisibility(stored.visibility);
    setArchived(stored.archived);
    setConfig(JSON.stringify(stored.config, null, 2));
  }

  const saving = useSaveOver<Agent>({
    read: () => readAgent(agent.id),
    async save(over) {
      setWrong(undefined);
      const parsed = parse(config);
      if ('wrong' in parsed) return setWrong(parsed.wrong);
      const { value, headers } = await callForHeaders('patch', '/api/v1/agents/{agentId}', {
        path: { agentId: agent.id },
        headers: over.etag === null ? {} : { 'if-match': over.etag },
        body: changeOf(base, { name, description, visibility, archived, config: parsed.value }),
      });
      setBase({ ...value.agent, etag: headers.get('etag') });
      await queries.invalidateQueries({ queryKey: ['agents'] });
      showDone('The agent is as you say');
    },
  });

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
      <OvertakenSave of={saving} base={base} textOf={configurationText} onYield={show} />
      {saving.failure !== undefined && <FailureNotice error={saving.failure} />}
      <Group>
        <Button onClick={() => void saving.attempt(base)} loading={saving.busy}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

function parse(text: string): { readonly value: Config } | { readonly wrong: string } {
  try {
    return { value: JSON.parse(text) as Config };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : 'JSON is expected' };
  }
}
