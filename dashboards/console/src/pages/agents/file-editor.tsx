import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { sizeText } from '../../parts/execution/duration.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OvertakenSave } from '../../parts/overtaken-save.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { useSaveOver } from '../../parts/use-save-over.ts';
import { putFile } from './put-file.ts';
import { fileQuery, readFile, type StoredFile, type WorkspaceFile } from './queries.ts';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.file;

/**
 * A file of a workspace. Text files are edited without overwriting unseen changes. Other files can only be replaced by
 * an upload.
 */
export function FileEditor({
  agentId,
  file,
  workspaceVersion,
  onChanged,
  onRemoved,
}: {
  readonly agentId: string;
  readonly file: WorkspaceFile;
  readonly workspaceVersion: number;
  readonly onChanged: () => Promise<unknown>;
  readonly onRemoved: () => Promise<unknown>;
}) {
  const { path } = file;
  const { data, error, refetch } = useQuery(fileQuery(agentId, path, workspaceVersion));
  const [text, setText] = useState<string>();
  const [asking, setAsking] = useState(false);
  /** The version on which the text is based. */
  const [base, setBase] = useState<StoredFile>();
  const stored = data?.content;

  function edit(typed: string) {
    if (text === undefined) setBase(data);
    setText(typed);
  }
  function reset() {
    setBase(undefined);
    setText(undefined);
  }

  const saving = useSaveOver<StoredFile>({
    read: () => readFile(agentId, path),
    async save(over) {
      await putFile(agentId, path, text ?? '', over.etag);
      await onChanged();
      reset();
      showDone(TEXT.saved(path));
    },
  });

  return (
    <section aria-label={path}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {TEXT.facts(sizeText(file.size), file.contentType, file.version)}
          <TimeText at={file.createdAt} ago />
        </Text>
        <Group gap="xs">
          <Button size="compact" variant="default" onClick={() => setAsking(true)}>
            {TEXT.remove}
          </Button>
          <Button
            size="compact"
            loading={saving.busy}
            disabled={base === undefined || text === stored}
            onClick={() => base && void saving.attempt(base)}
          >
            {TEXT.save}
          </Button>
        </Group>
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {base !== undefined && (
        <OvertakenSave
          of={saving}
          base={base}
          textOf={({ content }) => content ?? ''}
          onYield={() => {
            reset();
            void onChanged();
          }}
        />
      )}
      {saving.failure !== undefined && <FailureNotice error={saving.failure} />}
      {data === undefined && !error && <Loader size="sm" aria-label={TEXT.loading} />}
      {stored !== undefined && <CodeEditor label={path} value={text ?? stored} onChange={edit} />}
      {data !== undefined && stored === undefined && <Text>{TEXT.notText}</Text>}
      <Confirm
        opened={asking}
        title={TEXT.removeTitle(path)}
        action={TEXT.removeAction}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await call('post', '/api/v1/agents/{agentId}/files', {
            path: { agentId },
            body: { files: [], remove: [path] },
          });
          await onRemoved();
          await onChanged();
          showDone(TEXT.removed(path));
        }}
      >
        {TEXT.removeConsequence}
      </Confirm>
    </section>
  );
}
