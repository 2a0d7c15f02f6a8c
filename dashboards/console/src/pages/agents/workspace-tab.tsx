import { Button, FileButton, Grid, Group, NavLink, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { CreateButton } from '../../parts/create-button.tsx';
import { sizeText } from '../../parts/execution/duration.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { FileEditor } from './file-editor.tsx';
import { type Folder, fileTree } from './file-tree.ts';
import { putFile } from './put-file.ts';
import { type Agent, agentKey, type WorkspaceFile } from './queries.ts';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.workspace;
const agentRoute = getRouteApi('/_signed-in/agents/$id/');

/** The files of the workspace, and an editor for the selected file. */
export function WorkspaceTab({ agent: { slug, files = [], latestVersion } }: { readonly agent: Agent }) {
  const { file: path } = agentRoute.useSearch();
  const navigate = useNavigate({ from: '/agents/$id/' });
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const open = (wanted: string) => void navigate({ search: { file: wanted } });
  const changed = () => queries.invalidateQueries({ queryKey: agentKey(slug) });
  const chosen = files.find((file) => file.path === path);

  async function upload(file: File | null) {
    if (file === null) return;
    try {
      await putFile(slug, name === '' ? file.name : name, file);
      await changed();
      showDone(TEXT.uploaded(file.name));
      open(name === '' ? file.name : name);
      setName('');
    } catch (error) {
      showFailure(error);
    }
  }
  async function createEmpty(event: FormEvent) {
    event.preventDefault();
    try {
      await putFile(slug, name, '');
      await changed();
      open(name);
      setName('');
    } catch (error) {
      showFailure(error);
    }
  }

  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <nav aria-label={TEXT.files}>
          <Level folder={fileTree(files)} open={path} onOpen={open} />
        </nav>
        {files.length === 0 && <Text c="dimmed">{TEXT.empty}</Text>}
        <form onSubmit={createEmpty}>
          <TextInput
            label={TEXT.newFile}
            placeholder={TEXT.newFilePlaceholder}
            mt="sm"
            value={name}
            maxLength={1024}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group mt="xs" gap="xs">
            <CreateButton
              type="submit"
              size="compact"
              variant="default"
              disabled={name === '' || files.some((one) => one.path === name)}
            >
              {TEXT.create}
            </CreateButton>
            <FileButton onChange={upload}>
              {(props) => (
                <Button {...props} size="compact" variant="default">
                  {TEXT.upload}
                </Button>
              )}
            </FileButton>
          </Group>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        {chosen === undefined ? (
          <Text c="dimmed">{path === undefined ? TEXT.choose : TEXT.missing(path)}</Text>
        ) : (
          <FileEditor
            key={`${chosen.path} ${chosen.sha256}`}
            agentId={slug}
            file={chosen}
            workspaceVersion={latestVersion ?? 0}
            onChanged={changed}
            onRemoved={() => navigate({ search: {} })}
          />
        )}
      </Grid.Col>
    </Grid>
  );
}

function Level({
  folder,
  open,
  onOpen,
}: {
  readonly folder: Folder<WorkspaceFile>;
  readonly open: string | undefined;
  readonly onOpen: (path: string) => void;
}) {
  return (
    <>
      {folder.folders.map((inner) => (
        <NavLink key={inner.name} component="button" label={TEXT.folder(inner.name)} defaultOpened childrenOffset={16}>
          <Level folder={inner} open={open} onOpen={onOpen} />
        </NavLink>
      ))}
      {folder.files.map(({ name, file }) => (
        <NavLink
          key={file.path}
          component="button"
          label={name}
          rightSection={
            <Text size="xs" c="dimmed">
              {sizeText(file.size)}
            </Text>
          }
          active={file.path === open}
          aria-current={file.path === open ? 'true' : undefined}
          onClick={() => onOpen(file.path)}
        />
      ))}
    </>
  );
}
