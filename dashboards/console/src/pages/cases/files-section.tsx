import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addressOf, call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { sizeText } from '../../parts/execution/duration.ts';
import { Section } from '../../parts/section.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { visible } from '../../parts/visible.ts';
import { addFile, type CaseFile, type WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.files;

/** The evidence files of a case. They can only be downloaded: the console never shows their content. */
export function FilesSection({ of: { id, files } }: { readonly of: WholeCase }) {
  const queries = useQueryClient();
  const [removing, setRemoving] = useState<CaseFile>();
  const changed = () => queries.invalidateQueries({ queryKey: ['cases'] });
  const upload = useMutation({
    mutationFn: (file: File) => addFile(id, file),
    async onSuccess(_, file) {
      showDone(TEXT.added(visible(file.name)));
      await changed();
    },
    onError: showFailure,
  });
  return (
    <Section
      title={TEXT.title}
      actions={
        <FileButton onChange={(file) => file !== null && upload.mutate(file)} inputProps={{ 'aria-label': TEXT.add }}>
          {(props) => (
            <Button {...props} size="compact-sm" variant="default" loading={upload.isPending}>
              {TEXT.add}
            </Button>
          )}
        </FileButton>
      }
    >
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {TEXT.hint}
        </Text>
        {files.length === 0 && (
          <Text size="sm" c="dimmed">
            {TEXT.empty}
          </Text>
        )}
        {files.map((file) => (
          <div key={file.id}>
            <Group gap={6} justify="space-between" wrap="nowrap">
              <Anchor
                size="sm"
                href={addressOf('/api/cases/{id}/files/{fileId}', { path: { id, fileId: file.id } })}
                download
                aria-label={TEXT.download(visible(file.filename))}
              >
                {visible(file.filename)}
              </Anchor>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={TEXT.deleteNamed(visible(file.filename))}
                onClick={() => setRemoving(file)}
              >
                {TEXT.delete}
              </Button>
            </Group>
            <Text size="xs" c="dimmed">
              {sizeText(file.size)} · <span className="tl-mono">{TEXT.sha256(file.sha256)}</span>
            </Text>
          </div>
        ))}
      </Stack>
      <Confirm
        opened={removing !== undefined}
        title={TEXT.deleteTitle(removing?.filename ?? '')}
        action={TEXT.delete}
        onClose={() => setRemoving(undefined)}
        onConfirm={async () => {
          if (removing === undefined) return;
          await call('delete', '/api/cases/{id}/files/{fileId}', { path: { id, fileId: removing.id } });
          await changed();
        }}
      >
        {TEXT.deleteConfirm}
      </Confirm>
    </Section>
  );
}
