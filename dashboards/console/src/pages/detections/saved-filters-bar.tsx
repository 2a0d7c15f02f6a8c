import { Button, CloseButton, Group, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useMemo, useState } from 'react';
import { useProfile } from '../../app/use-profile.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { OnceOpened } from '../../parts/once-opened.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { type DetectionFilters, sameFilters } from './filters.ts';
import {
  BROWSER_TEXTS,
  builtInFilters,
  loadFilters,
  removeFilters,
  type SavedFilters,
  saveFilters,
} from './saved-filters.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.saved;
const ALL: SavedFilters = { name: TEXT.all, filters: {} };

/** Named filters: the built-in ones, and the user's, which this browser stores. */
export function SavedFiltersBar({
  current,
  onChoose,
}: {
  readonly current: DetectionFilters;
  readonly onChoose: (filters: DetectionFilters) => void;
}) {
  const { id, username } = useProfile();
  const [own, setOwn] = useState(() => loadFilters(BROWSER_TEXTS, id));
  const [removing, setRemoving] = useState<string>();
  const [naming, name] = useDisclosure();
  const builtIn = useMemo(() => [ALL, ...builtInFilters(username)], [username]);
  const known = [...builtIn, ...own].some(({ filters }) => sameFilters(filters, current));

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = String(new FormData(event.currentTarget).get('name')).trim();
    if (chosen === '') return;
    try {
      setOwn(saveFilters(BROWSER_TEXTS, id, { name: chosen, filters: current }));
    } catch (error) {
      return showFailure(error);
    }
    name.close();
    showDone(TEXT.done(chosen));
  }

  const button = ({ name: label, filters }: SavedFilters) => {
    const pressed = sameFilters(filters, current);
    return (
      <Button
        key={label}
        size="compact-xs"
        variant={pressed ? 'filled' : 'default'}
        aria-pressed={pressed}
        onClick={() => onChoose(filters)}
      >
        {label}
      </Button>
    );
  };

  return (
    <Group gap={6} role="group" aria-label={TEXT.label} mb="xs">
      {builtIn.map(button)}
      {own.map((one) => (
        <Group key={one.name} gap={0} wrap="nowrap">
          {button(one)}
          <CloseButton size="xs" aria-label={TEXT.removeLabel(one.name)} onClick={() => setRemoving(one.name)} />
        </Group>
      ))}
      {!known && (
        <Button size="compact-xs" variant="subtle" onClick={name.open}>
          {TEXT.save}
        </Button>
      )}
      <OnceOpened opened={naming}>
        <Modal opened={naming} onClose={name.close} title={TEXT.title} closeButtonProps={{ 'aria-label': TEXT.close }}>
          <form onSubmit={save}>
            <TextInput name="name" label={TEXT.name} required maxLength={60} data-autofocus mb="md" />
            <FormButtons submit={TEXT.submit} loading={false} onCancel={name.close} />
          </form>
        </Modal>
      </OnceOpened>
      <OnceOpened opened={removing !== undefined}>
        <Confirm
          opened={removing !== undefined}
          title={TEXT.removeTitle(removing ?? '')}
          action={TEXT.remove}
          onConfirm={async () => setOwn(removeFilters(BROWSER_TEXTS, id, removing ?? ''))}
          onClose={() => setRemoving(undefined)}
        >
          {TEXT.consequence}
        </Confirm>
      </OnceOpened>
    </Group>
  );
}
