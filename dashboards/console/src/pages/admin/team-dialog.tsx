import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.teams;

export type Team = Answer<'get', '/api/v1/teams'>['data'][number];

/** Creates or changes a team. `team`: undefined if closed, null for a new team. */
export function TeamDialog({
  team,
  onClose,
}: {
  readonly team: Team | null | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Modal
      opened={team !== undefined}
      onClose={onClose}
      title={team ? TEXT.editTitle(team.name) : TEXT.create}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {team !== undefined && <TeamForm team={team} onClose={onClose} />}
    </Modal>
  );
}

function TeamForm({ team, onClose }: { readonly team: Team | null; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const done = async (text: string) => {
    await queries.invalidateQueries({ queryKey: ['teams'] });
    showDone(text);
    onClose();
  };
  const saving = useMutation({
    mutationFn: ({ name, ...body }: { name: string; description: string; members: string[] }) =>
      team === null
        ? call('post', '/api/admin/teams', { body: { name, ...body } })
        : call('patch', '/api/admin/teams/{id}', { path: { id: team.id }, body }),
    onSuccess: ({ name }) => done(team === null ? TEXT.created(name) : TEXT.saved(name)),
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const members = String(form.get('members'))
      .split('\n')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    saving.mutate({ name: String(form.get('name')).trim(), description: String(form.get('description')), members });
  }

  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack gap="sm">
        {saving.isError && <FailureNotice error={saving.error} />}
        {team === null && (
          <TextInput name="name" label={TEXT.name} description={TEXT.nameHint} required data-autofocus />
        )}
        <TextInput name="description" label={TEXT.description} defaultValue={team?.description} maxLength={1000} />
        <Textarea
          name="members"
          label={TEXT.members}
          description={TEXT.membersHint}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          defaultValue={team?.members?.map(({ username }) => username).join('\n')}
        />
        <FormButtons
          submit={team === null ? TEXT.create : TEXT.save}
          loading={saving.isPending}
          onCancel={onClose}
          {...(team === null ? {} : { remove: { text: TEXT.remove, onRemove: () => setRemoving(true) } })}
        />
      </Stack>
      {team !== null && (
        <Confirm
          opened={removing}
          title={TEXT.removeTitle(team.name)}
          action={TEXT.removeAction}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await call('delete', '/api/admin/teams/{id}', { path: { id: team.id } });
            await done(TEXT.removed(team.name));
          }}
        >
          <Text size="sm">{TEXT.removeConsequence}</Text>
        </Confirm>
      )}
    </form>
  );
}
