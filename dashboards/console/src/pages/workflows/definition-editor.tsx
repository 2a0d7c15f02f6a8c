import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Issue } from '../../api/failure.ts';
import { CodeEditor, type CodeEditorHandle } from '../../parts/code-editor.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OvertakenSave } from '../../parts/overtaken-save.tsx';
import { useSaveOver } from '../../parts/use-save-over.ts';
import { IssueList } from './issue-list.tsx';
import { type Workflow, workflowQuery } from './queries.ts';
import { type Released, releaseWorkflow } from './release.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.editor;

type Base = Pick<Workflow, 'yamlContent' | 'etag'>;

/** Edits and releases a definition without overwriting an unseen release. Problems link to their lines. */
export function DefinitionEditor({
  slug,
  initial,
  etag = null,
  onReleased,
  onYield,
}: {
  readonly slug: string;
  readonly initial: string;
  /** ETag of the version with the text `initial`; null for a new workflow. */
  readonly etag?: string | null;
  readonly onReleased: (released: Released) => void;
  /** Keeps the definition that another user released. */
  readonly onYield?: () => void;
}) {
  const [text, setText] = useState(initial);
  const [tag, setTag] = useState('');
  const [notes, setNotes] = useState('');
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  /** The version that the text is based on; a release of another user does not change it. */
  const [base] = useState<Base>({ yamlContent: initial, etag });
  const queries = useQueryClient();
  const editor = useRef<CodeEditorHandle>(null);

  const releasing = useSaveOver<Base>({
    read: () => queries.fetchQuery({ ...workflowQuery(slug), staleTime: 0 }),
    async save(over) {
      const result = await releaseWorkflow(
        slug,
        {
          yamlContent: text,
          ...(tag === '' ? {} : { version: tag }),
          ...(notes === '' ? {} : { notes }),
        },
        over.etag,
      );
      if ('issues' in result) return setIssues(result.issues);
      setIssues(result.warnings);
      onReleased(result);
    },
  });

  return (
    <Stack gap="sm">
      <IssueList issues={issues} onGoTo={(line) => editor.current?.goTo(line)} />
      {releasing.failure !== undefined && <FailureNotice error={releasing.failure} />}
      <OvertakenSave
        of={releasing}
        base={base}
        textOf={({ yamlContent }) => yamlContent}
        title={TEXT.conflict}
        onYield={() => onYield?.()}
      />
      <CodeEditor
        label={TEXT.label}
        value={text}
        onChange={setText}
        handle={editor}
        marked={new Set(issues.flatMap(({ line }) => (line === undefined ? [] : [line])))}
      />
      <Group align="flex-end">
        <TextInput
          label={TEXT.version}
          placeholder={TEXT.versionPlaceholder}
          value={tag}
          maxLength={64}
          onChange={(event) => setTag(event.currentTarget.value)}
        />
        <TextInput
          label={TEXT.notes}
          style={{ flex: 1, minWidth: '12rem' }}
          maxLength={4000}
          value={notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        <Button
          onClick={() => void releasing.attempt(base)}
          loading={releasing.busy}
          disabled={slug === '' || text.trim() === ''}
        >
          {TEXT.release}
        </Button>
      </Group>
    </Stack>
  );
}
