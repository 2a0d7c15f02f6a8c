import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';

/** Makes an agent; its workspace begins with files to change. */
export function NewAgent({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name = '', slug, description] = ['name', 'slug', 'description'].map((field) =>
      String(form.get(field) ?? ''),
    );
    setBusy(true);
    setFailure(undefined);
    try {
      const { agent } = await call('post', '/api/v1/agents', {
        body: {
          name,
          slug: slug || slugOf(name),
          ...(description && { description }),
          config: { runtime: 'script' },
        },
      });
      void queries.invalidateQueries({ queryKey: ['agents', 'list'] });
      await navigate({ to: '/agents/$id', params: { id: agent.slug }, search: {} });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened={opened} onClose={onClose} title="New agent" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={make}>
        <Stack gap="sm">
          <TextInput name="name" label="Name" required maxLength={200} data-autofocus />
          <TextInput name="slug" label="Short name for addresses" placeholder="made of the name" maxLength={64} />
          <Textarea name="description" label="What it does" autosize minRows={2} maxLength={10_000} />
          {failure !== undefined && <FailureNotice error={failure} />}
          <Button type="submit" loading={busy}>
            Make it
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** Letters without their accents, digits, and dashes between them. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
}
