import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { FailureNotice } from '../failure-notice.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { type Draft, draftOf, type Problem, readDraft } from './draft.ts';
import { type Field, fieldOf } from './field.ts';
import type { Json } from './json.ts';
import { RunFiles } from './run-files.tsx';
import { SchemaField } from './schema-fields.tsx';
import type { RunFile } from './start-run.ts';
import { RUN_FORM_TEXT } from './text.ts';

const TEXT = RUN_FORM_TEXT;

const WHOLE: Field = fieldOf({ title: TEXT.input, description: TEXT.json });

/**
 * Form for the input that a JSON Schema describes, with fields or as JSON, and for files. Starts a run. Long: the
 * markup of one form.
 */
export function RunForm({
  schema,
  onRun,
  withFiles = true,
  action = TEXT.run,
  onCancel,
}: {
  readonly schema: unknown;
  readonly onRun: (given: { readonly input: Json; readonly files: readonly RunFile[] }) => Promise<unknown>;
  readonly withFiles?: boolean;
  readonly action?: string;
  /** Set in a dialog, whose buttons are on the right. */
  readonly onCancel?: () => void;
}) {
  const field = useMemo(() => ({ ...fieldOf(schema), label: TEXT.input }), [schema]);
  const hasForm = field.kind === 'object';
  const [mode, setMode] = useState<'form' | 'json'>(hasForm ? 'form' : 'json');
  const [draft, setDraft] = useState<Draft>(() => draftOf(field));
  const [text, setText] = useState(() => JSON.stringify(readDraft(field, draftOf(field)).value ?? {}, null, 2));
  const [files, setFiles] = useState<readonly RunFile[]>([]);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const byPath = useMemo(() => new Map(problems.map(({ path, message }) => [path, message])), [problems]);

  function change(to: 'form' | 'json') {
    if (to === mode) return;
    setProblems([]);
    if (to === 'json') setText(JSON.stringify(readDraft(field, draft).value ?? {}, null, 2));
    else {
      const { value, problems: found } = readDraft(WHOLE, text);
      if (found.length > 0) return setProblems(found);
      setDraft(draftOf(field, value));
    }
    setMode(to);
  }

  async function run(event: FormEvent) {
    event.preventDefault();
    // A file can provide the value of an empty field.
    const named = new Set(files.map(({ name }) => name));
    const read = mode === 'form' ? readDraft(field, draft) : readDraft(WHOLE, text);
    const found = read.problems.filter(({ path }) => !named.has(path));
    setProblems(found);
    setFailure(undefined);
    if (found.length > 0) return;
    setBusy(true);
    try {
      await onRun({ input: read.value ?? {}, files });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={run} noValidate aria-label={TEXT.input} style={{ maxWidth: '44rem' }}>
      <Stack gap="sm">
        {hasForm && (
          <Group justify="flex-end">
            <SegmentedControl
              size="xs"
              aria-label={TEXT.mode}
              value={mode}
              onChange={(value) => change(value as 'form' | 'json')}
              data={[
                { value: 'form', label: TEXT.modes.form },
                { value: 'json', label: TEXT.modes.json },
              ]}
            />
          </Group>
        )}
        {mode === 'form' ? (
          <SchemaField field={field} draft={draft} onChange={setDraft} problems={byPath} path="" />
        ) : (
          <Textarea
            label={TEXT.input}
            description={TEXT.json}
            autosize
            minRows={5}
            maxRows={30}
            spellCheck={false}
            classNames={{ input: 'tl-mono' }}
            value={text}
            error={byPath.get('')}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {withFiles && (
          <details>
            <summary>{TEXT.files(files.length)}</summary>
            <RunFiles files={files} onChange={setFiles} />
          </details>
        )}
        {failure !== undefined && <FailureNotice error={failure} />}
        {problems.length > 0 && (
          <Text size="sm" role="alert">
            {TEXT.invalid(problems.length)}
          </Text>
        )}
        {onCancel === undefined ? (
          <Group>
            <Button type="submit" loading={busy}>
              {action}
            </Button>
          </Group>
        ) : (
          <FormButtons submit={action} loading={busy} onCancel={onCancel} />
        )}
      </Stack>
    </form>
  );
}
