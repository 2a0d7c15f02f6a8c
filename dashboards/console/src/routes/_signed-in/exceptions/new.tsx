import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type FormEvent, Fragment, useState } from 'react';
import { call } from '../../../api/client.ts';
import { useRules } from '../../../api/rules.ts';
import { type ExceptionDraft, hasSubject, requestOf } from '../../../pages/exceptions/draft.ts';
import type { NewExceptionSearch } from '../../../pages/exceptions/search.ts';
import { EXCEPTIONS_TEXT } from '../../../pages/exceptions/text.ts';
import { defined } from '../../../parts/defined.ts';
import { ExceptionPreview } from '../../../parts/exceptions/exception-preview.tsx';
import { useNewException } from '../../../parts/exceptions/use-new-exception.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { MomentInput } from '../../../parts/time/moment-input.tsx';

export const Route = createFileRoute('/_signed-in/exceptions/new')({
  validateSearch: onlyRead(
    (search: Record<string, unknown>): NewExceptionSearch =>
      defined({
        hostname: textParam(search.hostname),
        program: textParam(search.program),
        file: textParam(search.file),
        rule: textParam(search.rule),
      }),
  ),
  component: NewExceptionPage,
});

const TEXT = EXCEPTIONS_TEXT.form;
const FIELDS = ['hostname', 'program', 'file', 'rule'] as const;

/** Long: the markup of one form and its preview. */
function NewExceptionPage() {
  const { hostname = '', program = '', file = '', rule = '' } = Route.useSearch();
  const rules = useRules();
  const navigate = useNavigate();
  const { mayCreate, error: policyError, save } = useNewException();
  const [draft, setDraft] = useState<ExceptionDraft>({ hostname, program, file, rule, expires: '' });
  const [reason, setReason] = useState('');
  const request = requestOf(draft);
  const preview = useMutation({
    mutationFn: async () => ({
      found: await call('post', '/api/exceptions/preview', { body: request }),
      request: JSON.stringify(request),
    }),
  });
  const saving = useMutation({
    mutationFn: () => save({ ...request, reason: reason.trim() }),
    onSuccess: (done) => navigate({ to: '/exceptions', search: done === 'requested' ? { tab: 'requests' } : {} }),
  });
  const previewed = preview.data?.request === JSON.stringify(request);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!previewed) preview.mutate();
    else if (mayCreate !== undefined && reason.trim() !== '') saving.mutate();
  }

  return (
    <Page title={TEXT.title}>
      <Text size="sm" mb="sm">
        {TEXT.hint}{' '}
        {TEXT.wildcards.map(({ wildcard, matches }, index) => (
          <Fragment key={wildcard}>
            {index > 0 && ', '}
            <b>{wildcard}</b> {matches}
          </Fragment>
        ))}
        .
      </Text>
      <form onSubmit={onSubmit}>
        <Stack gap="sm" maw="48rem">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {FIELDS.map((name) => (
              <TextInput
                key={name}
                {...TEXT.fields[name]}
                maxLength={512}
                autoComplete="off"
                spellCheck={false}
                list={name === 'rule' ? 'rules' : undefined}
                value={draft[name]}
                onChange={({ currentTarget: { value } }) => setDraft({ ...draft, [name]: value })}
              />
            ))}
            <MomentInput
              label={TEXT.expires}
              description={TEXT.expiresHint}
              value={draft.expires}
              onChange={(expires) => setDraft({ ...draft, expires })}
            />
          </SimpleGrid>
          <datalist id="rules">
            {rules.map(({ id, name }) => (
              <option key={id} value={id} label={name} />
            ))}
          </datalist>
          {preview.isError && <FailureNotice error={preview.error} />}
          {preview.isSuccess && previewed && <ExceptionPreview found={preview.data.found} />}
          <Textarea
            label={TEXT.reason}
            autosize
            minRows={2}
            maxLength={2_000}
            value={reason}
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
          {saving.isError && <FailureNotice error={saving.error} />}
          {policyError !== null && <FailureNotice error={policyError} />}
          {mayCreate === false && (
            <Alert variant="outline" color="indigo">
              {TEXT.needsApproval}
            </Alert>
          )}
          <Group gap="sm">
            <Button
              variant={previewed ? 'default' : 'filled'}
              type={previewed ? 'button' : 'submit'}
              loading={preview.isPending}
              disabled={!hasSubject(draft)}
              onClick={previewed ? () => preview.mutate() : undefined}
            >
              {TEXT.showPreview}
            </Button>
            <Button
              type={previewed ? 'submit' : 'button'}
              variant={previewed ? 'filled' : 'default'}
              loading={saving.isPending}
              disabled={!previewed || reason.trim() === '' || mayCreate === undefined}
            >
              {mayCreate === false ? TEXT.submitRequest : TEXT.submit}
            </Button>
            {!hasSubject(draft) && (
              <Text size="sm" c="dimmed">
                {TEXT.missing}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
