import { Button, Loader, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import type { Json } from '../../parts/run-form/json.ts';
import { RunForm } from '../../parts/run-form/run-form.tsx';
import { type RunFile, startRun } from '../../parts/run-form/start-run.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { agentQuery, agentsList } from '../agents/queries.ts';
import { workflowQuery, workflowsList } from '../workflows/queries.ts';
import { inputSchemaOf } from '../workflows/run-tab.tsx';
import { executionsQuery, linkExecution } from './queries.ts';
import { type Subject, schemaWithSubject } from './subject.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.run;
type Runnable = 'workflows' | 'agents';

/** Buttons that run a workflow or an agent on a detection or case. */
export function RunButtons({ subject }: { readonly subject: Subject }) {
  const [opened, setOpened] = useState<Runnable>();
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpened('workflows')}>
        {TEXT.workflow}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setOpened('agents')}>
        {TEXT.agent}
      </Button>
      {opened !== undefined && <RunDialog kind={opened} subject={subject} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Focuses a field that appears after its dialog, which sets the focus only when it opens. */
const focus = (field: HTMLSelectElement | null) => field?.focus();

/** Dialog that selects a workflow or agent, asks for its input, runs it and links the execution. */
function RunDialog({
  kind,
  subject,
  onClose,
}: {
  readonly kind: Runnable;
  readonly subject: Subject;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string>();
  const workflows = useInfiniteQuery({ ...workflowsList({ kind: 'workflow' }), enabled: kind === 'workflows' });
  const agents = useInfiniteQuery({ ...agentsList({}), enabled: kind === 'agents' });
  const list = kind === 'workflows' ? workflows : agents;
  const choices =
    kind === 'workflows'
      ? workflows.data?.pages.flatMap(({ data }) =>
          data.map(({ name, title }) => ({ value: name, label: TEXT.titled(name, title) })),
        )
      : agents.data?.pages.flatMap(({ data }) =>
          data.map(({ slug, name }) => ({ value: slug, label: TEXT.titled(slug, name) })),
        );
  const name = chosen ?? choices?.[0]?.value;

  async function run(of: string, given: { readonly input: Json; readonly files: readonly RunFile[] }) {
    const executionId = await startRun(kind, of, given);
    await linkExecution(subject, executionId);
    await Promise.all([
      queries.invalidateQueries({ queryKey: executionsQuery(subject).queryKey }),
      queries.invalidateQueries({ queryKey: [subject.kind, subject.id, 'timeline'] }),
    ]);
    showDone(TEXT.started(of));
    onClose();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={TEXT.titles[kind]}
      closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
    >
      <Stack gap="sm">
        {list.error !== null && <FailureNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Loader size="sm" aria-label={TEXT.loading} />}
        {choices?.length === 0 && <Text size="sm">{TEXT.none[kind]}</Text>}
        {name !== undefined && choices !== undefined && (
          <>
            <NativeSelect
              data-autofocus
              ref={focus}
              label={TEXT.choose[kind]}
              value={name}
              data={choices}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            />
            <InputForm
              key={name}
              kind={kind}
              name={name}
              subject={subject}
              onRun={(given) => run(name, given)}
              onCancel={onClose}
            />
          </>
        )}
      </Stack>
    </Modal>
  );
}

function InputForm({
  kind,
  name,
  subject,
  onRun,
  onCancel,
}: {
  readonly kind: Runnable;
  readonly name: string;
  readonly subject: Subject;
  readonly onRun: (given: { readonly input: Json; readonly files: readonly RunFile[] }) => Promise<unknown>;
  readonly onCancel: () => void;
}) {
  const workflow = useQuery({ ...workflowQuery(name), enabled: kind === 'workflows' });
  const agent = useQuery({ ...agentQuery(name), enabled: kind === 'agents' });
  const { error, isPending } = kind === 'workflows' ? workflow : agent;
  if (error !== null) return <FailureNotice error={error} />;
  if (isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  const schema =
    kind === 'workflows' ? workflow.data && inputSchemaOf(workflow.data.definition) : agent.data?.config.inputSchema;
  return (
    <RunForm schema={schemaWithSubject(schema, subject)} onRun={onRun} action={TEXT.action[kind]} onCancel={onCancel} />
  );
}
