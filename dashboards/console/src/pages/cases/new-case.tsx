import { Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import { PersonInput } from '../hand-off/person-input.tsx';
import { templatesQuery } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.new;

/** Opens a case without detections. */
export function NewCase({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: templates = [] } = useQuery(templatesQuery);
  const create = useMutation({
    mutationFn: (body: Body<'post', '/api/cases'>) => call('post', '/api/cases', { body }),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: ['cases'] });
      await navigate({ to: '/cases/$id', params: { id } });
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const [title, description, template, assignee] = ['title', 'description', 'template', 'assignee'].map(text);
    const severity = choiceParam(text('severity'), SEVERITIES);
    create.mutate({
      detections: [],
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(template === undefined ? {} : { template }),
      ...(assignee === undefined ? {} : { assignee }),
      ...(severity === undefined ? {} : { severity }),
    });
  }

  return (
    <Modal opened onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          {create.isError && <FailureNotice error={create.error} />}
          <TextInput name="title" label={TEXT.name} description={TEXT.nameHint} maxLength={200} data-autofocus />
          <NativeSelect
            name="template"
            label={TEXT.template}
            data={[
              { value: '', label: TEXT.noTemplate },
              ...templates.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <NativeSelect
            name="severity"
            label={TEXT.severity}
            data={[
              { value: '', label: TEXT.fromTemplate },
              ...SEVERITIES.toReversed().map((value) => ({ value, label: PARTS_TEXT.severities[value] })),
            ]}
          />
          <PersonInput name="assignee" label={TEXT.assignee} />
          <Textarea name="description" label={TEXT.description} maxLength={10_000} autosize minRows={2} maxRows={10} />
          <FormButtons submit={TEXT.submit} loading={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
