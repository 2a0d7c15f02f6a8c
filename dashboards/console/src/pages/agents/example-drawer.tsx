import { Drawer, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { agentKey, type Example } from './queries.ts';

const COMPARISONS = ['subset', 'exact', 'schema'] as const;
const TEXT = EVALUATION_TEXT.example;

/** Shows and edits a test case, or creates one. */
export function ExampleDrawer({
  agentId,
  example,
  onClose,
}: {
  readonly agentId: string;
  readonly example: Example | 'new' | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Drawer
      opened={example !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={example === 'new' ? TEXT.title : example?.name}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {example !== undefined && (
        <ExampleForm agentId={agentId} example={example === 'new' ? undefined : example} onClose={onClose} />
      )}
    </Drawer>
  );
}

function ExampleForm({
  agentId,
  example,
  onClose,
}: {
  readonly agentId: string;
  readonly example: Example | undefined;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(example?.name ?? '');
  const [input, setInput] = useState(() => JSON.stringify(example?.input ?? {}, null, 2));
  const [expected, setExpected] = useState(() => JSON.stringify(example?.expected ?? null, null, 2));
  const [comparison, setComparison] = useState(example?.comparison ?? 'subset');
  const [wrong, setWrong] = useState<{ readonly input?: string; readonly expected?: string }>({});
  const [failure, setFailure] = useState<unknown>();
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const path = { agentId, name };

  async function done(message: string) {
    await queries.invalidateQueries({ queryKey: [...agentKey(agentId), 'examples'] });
    showDone(message);
    onClose();
  }
  async function save(event: FormEvent) {
    event.preventDefault();
    setFailure(undefined);
    const read = { input: parse(input), expected: parse(expected) };
    if ('wrong' in read.input || 'wrong' in read.expected)
      return setWrong({
        ...('wrong' in read.input && { input: read.input.wrong }),
        ...('wrong' in read.expected && { expected: read.expected.wrong }),
      });
    setWrong({});
    try {
      const body = { input: read.input.value, expected: read.expected.value, comparison };
      await call('put', '/api/v1/agents/{agentId}/examples/{name}', { path, body });
      await done(TEXT.saved(name));
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <TextInput
          label={TEXT.name}
          required
          maxLength={200}
          value={name}
          readOnly={example !== undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <JsonField label={TEXT.input} value={input} error={wrong.input} onChange={setInput} />
        <JsonField label={TEXT.expected} value={expected} error={wrong.expected} onChange={setExpected} />
        <NativeSelect
          label={TEXT.comparison}
          value={comparison}
          data={COMPARISONS.map((value) => ({ value, label: TEXT.comparisons[value] }))}
          onChange={({ currentTarget }) => setComparison(choiceParam(currentTarget.value, COMPARISONS) ?? 'subset')}
        />
        {failure !== undefined && <FailureNotice error={failure} />}
        <FormButtons
          submit={TEXT.save}
          loading={false}
          onCancel={onClose}
          {...(example === undefined ? {} : { remove: { text: TEXT.remove, onRemove: () => setAsking(true) } })}
        />
      </Stack>
      <Confirm
        opened={asking}
        title={TEXT.removeTitle(name)}
        action={TEXT.removeAction}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await call('delete', '/api/v1/agents/{agentId}/examples/{name}', { path });
          await done(TEXT.removed(name));
        }}
      >
        {TEXT.removeConsequence}
      </Confirm>
    </form>
  );
}

function JsonField(props: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}) {
  const { onChange, ...rest } = props;
  return (
    <Textarea
      {...rest}
      description={TEXT.json}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: 'tl-mono' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function parse(text: string): { readonly value: unknown } | { readonly wrong: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : TEXT.invalidJson };
  }
}
