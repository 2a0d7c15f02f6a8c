import { Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { type Template, templatesQuery } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.templates;

/** Creates a template, or replaces one unless another user changed it since it was loaded. */
export function TemplateForm({ template, onClose }: { readonly template?: Template; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: NonNullable<Body<'post', '/api/case-templates'>>) =>
      template === undefined
        ? call('post', '/api/case-templates', { body })
        : call('put', '/api/case-templates/{id}', {
            path: { id: template.id },
            body,
            headers: { 'if-match': template.etag },
          }),
    async onSuccess({ name }) {
      await queries.invalidateQueries({ queryKey: templatesQuery.queryKey });
      showDone(TEXT.saved(name));
      onClose();
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    save.mutate({
      name: text('name'),
      title: text('title'),
      severity: choiceParam(text('severity'), SEVERITIES) ?? 'medium',
      tasks: text('tasks')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={TEXT.formTitles[template === undefined ? 'new' : 'edit']}
      closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
    >
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          {save.isError && <FailureNotice error={save.error} />}
          <TextInput
            name="name"
            label={TEXT.name}
            defaultValue={template?.name ?? ''}
            maxLength={100}
            required
            data-autofocus
          />
          <TextInput
            name="title"
            label={TEXT.caseTitle}
            defaultValue={template?.title ?? ''}
            maxLength={200}
            required
          />
          <NativeSelect
            name="severity"
            label={TEXT.severity}
            defaultValue={template?.severity ?? 'medium'}
            data={SEVERITIES.toReversed().map((value) => ({ value, label: PARTS_TEXT.severities[value] }))}
          />
          <Textarea
            name="tasks"
            label={TEXT.tasks}
            description={TEXT.tasksHint}
            defaultValue={template?.tasks.join('\n') ?? ''}
            autosize
            minRows={4}
            maxRows={16}
          />
          <FormButtons submit={TEXT.save} loading={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
