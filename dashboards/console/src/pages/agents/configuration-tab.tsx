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
import { AGENTS_TEXT } from './text.ts';

type Change = NonNullable<Body<'patch', '/api/v1/agents/{agentId}'>>;
type Config = NonNullable<Change['config']>;

type Configuration = Pick<Agent, 'name' | 'description' | 'visibility' | 'archived' | 'config'>;

const TEXT = AGENTS_TEXT.configuration;

/** Returns the changed properties, in the form that the API expects. */
function changeOf(before: Configuration, after: Configuration): Change {
  const names = (Object.keys(after) as (keyof Configuration)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}

function configurationText({ name, description, visibility, archived, config }: Configuration): string {
  return JSON.stringify({ name, description, visibility, archived, config }, null, 2);
}

/** Name, visibility and runtime configuration of an agent. Runs keep the configuration with which they started. */
export function ConfigurationTab({ agent }: { readonly agent: Agent }) {
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description);
  const [visibility, setVisibility] = useState(agent.visibility);
  const [archived, setArchived] = useState(agent.archived);
  const [config, setConfig] = useState(() => JSON.stringify(agent.config, null, 2));
  /** The version on which the form is based. */
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
      showDone(TEXT.saved);
    },
  });

  return (
    <Stack gap="sm" maw="48rem">
      <TextInput
        label={TEXT.name}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={TEXT.description}
        autosize
        minRows={2}
        maxLength={10_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <NativeSelect
        label={TEXT.visibility}
        value={visibility}
        data={[
          { value: 'private', label: TEXT.visibilities.private },
          { value: 'shared', label: TEXT.visibilities.shared },
        ]}
        onChange={(event) => setVisibility(event.currentTarget.value === 'shared' ? 'shared' : 'private')}
      />
      <Switch label={TEXT.archived} checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
      <CodeEditor label={TEXT.config} value={config} onChange={setConfig} />
      {wrong !== undefined && <div role="alert">{TEXT.invalid(wrong)}</div>}
      <OvertakenSave of={saving} base={base} textOf={configurationText} onYield={show} />
      {saving.failure !== undefined && <FailureNotice error={saving.failure} />}
      <Group>
        <Button onClick={() => void saving.attempt(base)} loading={saving.busy}>
          {TEXT.save}
        </Button>
      </Group>
    </Stack>
  );
}

function parse(text: string): { readonly value: Config } | { readonly wrong: string } {
  try {
    return { value: JSON.parse(text) as Config };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : TEXT.json };
  }
}
