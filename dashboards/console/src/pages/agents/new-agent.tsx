import { Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.newAgent;

/** Creates an agent with a starter workspace. */
export function NewAgent({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();

  async function create(event: FormEvent<HTMLFormElement>) {
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
    <Modal opened={opened} onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': TEXT.close }}>
      <form onSubmit={create}>
        <Stack gap="sm">
          <TextInput name="name" label={TEXT.name} required maxLength={200} data-autofocus />
          <TextInput name="slug" label={TEXT.slug} placeholder={TEXT.slugPlaceholder} maxLength={64} />
          <Textarea name="description" label={TEXT.description} autosize minRows={2} maxLength={10_000} />
          {failure !== undefined && <FailureNotice error={failure} />}
          <FormButtons submit={TEXT.submit} loading={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

/** Returns letters without accents, and digits, joined by dashes. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
}
