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

type Begun = Pick<Workflow, 'yamlContent' | 'etag'>;

/** Changes a definition and releases it, over nobody's unseen release; what is wrong is shown at its lines. */
export function DefinitionEditor({
  slug,
  initial,
  etag = null,
  onReleased,
  onYield,
}: {
  readonly slug: string;
  readonly initial: string;
  /** Of the version `initial` is the text of; null: there is none yet. */
  readonly etag?: string | null;
  readonly onReleased: (released: Released) => void;
  /** Leaves the definition as somebody else released it. */
  readonly onYield?: () => void;
}) {
  const [text, setText] = useState(initial);
  const [tag, setTag] = useState('');
  const [notes, setNotes] = useState('');
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  /** What the text was begun upon: a release of somebody else does not change it. */
  const [base] = useState<Begun>({ yamlContent: initial, etag });
  const queries = useQueryClient();
  const editor = useRef<CodeEditorHandle>(null);

  const releasing = useSaveOver<Begun>({
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
        title="Another user released a version while you were editing. Yours is not released"
        onYield={() => onYield?.()}
      />
      <CodeEditor
        label="Definition (YAML)"
        value={text}
        onChange={setText}
        handle={editor}
        marked={new Set(issues.flatMap(({ line }) => (line === undefined ? [] : [line])))}
      />
      <Group align="flex-end">
        <TextInput
          label="Version"
          placeholder="the next number"
          value={tag}
          maxLength={64}
          onChange={(event) => setTag(event.currentTarget.value)}
        />
        <TextInput
          label="What is new"
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
          Release
        </Button>
      </Group>
    </Stack>
  );
}
