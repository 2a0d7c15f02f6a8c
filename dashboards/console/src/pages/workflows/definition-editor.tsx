import { Button, Grid, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import type { Issue } from '../../api/failure.ts';
import { CodeEditor, type CodeEditorHandle } from '../../parts/code-editor.tsx';
import { DiffView } from '../../parts/diff/diff-view.tsx';
import { lineDiff } from '../../parts/diff/line-diff.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OvertakenSave } from '../../parts/overtaken-save.tsx';
import { useSaveOver } from '../../parts/use-save-over.ts';
import { withDocumentName } from './document-name.ts';
import { IssueList } from './issue-list.tsx';
import { type Workflow, workflowQuery } from './queries.ts';
import { type Released, releaseWorkflow } from './release.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.editor;

type CodeCompleter = ComponentProps<typeof CodeEditor>['complete'];

/** A definition that the user is editing. */
export interface Draft {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onGoTo: (line: number) => void;
  /** Marks lines with problems. */
  readonly onChecked: (lines: ReadonlySet<number>) => void;
}

type Base = Pick<Workflow, 'yamlContent' | 'etag'>;

/**
 * Edits and releases a definition. Never overwrites an unseen release. The name of a new workflow is also written into
 * its definition. Problems link to their lines. Long: the markup of one form.
 */
export function DefinitionEditor({
  slug,
  initial,
  etag = null,
  onReleased,
  onYield,
  aside,
  complete,
}: {
  readonly slug: string;
  readonly initial: string;
  /** ETag of the version with the text `initial`. Null for a new workflow. */
  readonly etag?: string | null;
  readonly onReleased: (released: Released) => void;
  /** Discards the draft and keeps the definition that another user released. */
  readonly onYield?: () => void;
  /** Content next to the text while it is edited. If it is set, the changes are shown before a release. */
  readonly aside?: (draft: Draft) => { readonly side: ReactNode; readonly below: ReactNode };
  readonly complete?: CodeCompleter | undefined;
}) {
  const [text, setText] = useState(() => (etag === null ? withDocumentName(initial, slug) : initial));
  const [named, setNamed] = useState(slug);
  if (slug !== named) {
    setNamed(slug);
    if (etag === null) setText((now) => withDocumentName(now, slug));
  }
  const [tag, setTag] = useState('');
  const [notes, setNotes] = useState('');
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [reviewing, setReviewing] = useState(false);
  /** The version on which the text is based. It does not change when another user releases. */
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

  const onGoTo = (line: number) => editor.current?.goTo(line);
  const parts = aside?.({ text, onChange: setText, onGoTo, onChecked: setMarked });
  const codeEditor = (
    <CodeEditor
      label={TEXT.label}
      value={text}
      onChange={setText}
      handle={editor}
      complete={complete}
      marked={aside === undefined ? new Set(issues.flatMap(({ line }) => (line === undefined ? [] : [line]))) : marked}
    />
  );
  const releaseButton = (
    <Button
      onClick={() => {
        setReviewing(false);
        void releasing.attempt(base);
      }}
      loading={releasing.busy}
      disabled={slug === '' || text.trim() === ''}
    >
      {TEXT.release}
    </Button>
  );

  return (
    <Stack gap="sm">
      <IssueList issues={issues} onGoTo={onGoTo} />
      {releasing.failure !== undefined && <FailureNotice error={releasing.failure} />}
      <OvertakenSave
        of={releasing}
        base={base}
        textOf={({ yamlContent }) => yamlContent}
        title={TEXT.conflict}
        onYield={() => onYield?.()}
      />
      {parts === undefined ? (
        codeEditor
      ) : (
        <Grid>
          <Grid.Col span={{ base: 12, lg: 7 }} className="tl-editor-column">
            {codeEditor}
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>{parts.side}</Grid.Col>
        </Grid>
      )}
      {parts?.below}
      <Group align="flex-end">
        <ReleaseFields tag={tag} onTag={setTag} notes={notes} onNotes={setNotes} />
        {parts === undefined ? (
          releaseButton
        ) : (
          <Button onClick={() => setReviewing(true)} disabled={text.trim() === ''}>
            {WORKFLOWS_TEXT.draft.review}
          </Button>
        )}
      </Group>
      <ReviewDialog
        opened={reviewing}
        before={base.yamlContent}
        after={text}
        onClose={() => setReviewing(false)}
        releaseButton={releaseButton}
      />
    </Stack>
  );
}

function ReleaseFields({
  tag,
  onTag,
  notes,
  onNotes,
}: {
  readonly tag: string;
  readonly onTag: (tag: string) => void;
  readonly notes: string;
  readonly onNotes: (notes: string) => void;
}) {
  return (
    <>
      <TextInput
        label={TEXT.version}
        placeholder={TEXT.versionPlaceholder}
        value={tag}
        maxLength={64}
        onChange={(event) => onTag(event.currentTarget.value)}
      />
      <TextInput
        label={TEXT.notes}
        style={{ flex: 1, minWidth: '12rem' }}
        maxLength={4000}
        value={notes}
        onChange={(event) => onNotes(event.currentTarget.value)}
      />
    </>
  );
}

/** Shows the changes of a definition before they are released. */
function ReviewDialog({
  opened,
  before,
  after,
  onClose,
  releaseButton,
}: {
  readonly opened: boolean;
  readonly before: string;
  readonly after: string;
  readonly onClose: () => void;
  readonly releaseButton: ReactNode;
}) {
  const REVIEW = WORKFLOWS_TEXT.draft;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={REVIEW.reviewTitle}
      closeButtonProps={{ 'aria-label': REVIEW.close }}
    >
      <Stack gap="sm">
        <DiffView lines={lineDiff(before, after)} label={REVIEW.changes} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {REVIEW.back}
          </Button>
          {releaseButton}
        </Group>
      </Stack>
    </Modal>
  );
}
