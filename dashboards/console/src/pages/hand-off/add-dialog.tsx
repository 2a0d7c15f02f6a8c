import { Modal, NativeSelect, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { visible } from '../../parts/visible.ts';
import { templatesQuery } from '../cases/queries.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.addToCase;
const PAUSE_MS = 250;

/** Selects an open case, or asks for the title of a new one. Long: the markup of one form. */
export function AddDialog({
  detections,
  onClose,
  onAdded,
}: {
  readonly detections: readonly string[];
  readonly onClose: () => void;
  readonly onAdded: () => void;
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [mode, setMode] = useState<'existing' | 'new'>('new');
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), PAUSE_MS);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const { data: open } = useQuery({
    queryKey: ['cases', 'open', q],
    queryFn: ({ signal }) =>
      call('get', '/api/cases', {
        query: { status: 'open,in_progress', limit: 10, ...(q === '' ? {} : { q }) },
        signal,
      }),
    placeholderData: (before) => before,
    enabled: mode === 'existing',
  });
  const { data: templates } = useQuery({ ...templatesQuery, enabled: mode === 'new' });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    setBusy(true);
    setFailure(undefined);
    try {
      if (mode === 'new') await openCase(text('title'), text('template'));
      else await addTo(text('case'));
      await queries.invalidateQueries({ queryKey: ['cases'] });
      onAdded();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  async function openCase(title: string, template: string) {
    const { id, number } = await call('post', '/api/cases', {
      body: {
        detections: [...detections],
        ...(title === '' ? {} : { title }),
        ...(template === '' ? {} : { template }),
      },
    });
    showDone(TEXT.opened(number));
    await navigate({ to: '/cases/$id', params: { id } });
  }

  async function addTo(id: string) {
    const body = { detections: [...detections] };
    const { results } = await call('post', '/api/cases/{id}/detections', { path: { id }, body });
    const number = open?.data.find((one) => one.id === id)?.number ?? 0;
    showDone(TEXT.added(results.filter(({ outcome }) => outcome === 'added').length, number));
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={TEXT.title(detections.length)}
      closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          {failure !== undefined && <FailureNotice error={failure} />}
          <SegmentedControl
            value={mode}
            onChange={(value) => setMode(value === 'new' ? 'new' : 'existing')}
            data={[
              { value: 'new', label: TEXT.new },
              { value: 'existing', label: TEXT.existing },
            ]}
          />
          {mode === 'new' ? (
            <>
              <TextInput
                name="title"
                label={TEXT.newTitle}
                description={TEXT.newTitleHint}
                maxLength={200}
                data-autofocus
              />
              <NativeSelect
                name="template"
                label={TEXT.template}
                data={[
                  { value: '', label: TEXT.noTemplate },
                  ...(templates ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            </>
          ) : (
            <>
              <TextInput
                label={TEXT.search}
                placeholder={TEXT.searchHint}
                value={search}
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
              {open?.data.length === 0 && <Text size="sm">{TEXT.noMatch}</Text>}
              <Radio.Group name="case" label={TEXT.caseLabel} required>
                <Stack gap={6} mt={6}>
                  {open?.data.map(({ id, number, title }) => (
                    <Radio key={id} value={id} required label={visible(TEXT.option(number, title))} />
                  ))}
                </Stack>
              </Radio.Group>
            </>
          )}
          <FormButtons submit={mode === 'new' ? TEXT.create : TEXT.submit} loading={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
