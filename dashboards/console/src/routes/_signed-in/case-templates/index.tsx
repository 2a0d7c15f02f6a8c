import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { may } from '../../../api/session.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { type Template, templatesQuery } from '../../../pages/cases/queries.ts';
import { TemplateForm } from '../../../pages/cases/template-form.tsx';
import { CASES_TEXT } from '../../../pages/cases/text.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { SeverityText } from '../../../parts/severity-text.tsx';
import { PARTS_TEXT } from '../../../parts/text.ts';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/case-templates/')({
  component: TemplatesPage,
});

const TEXT = CASES_TEXT.templates;

function TemplatesPage() {
  const admin = may(useProfile(), 'admin');
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(templatesQuery);
  const [edited, setEdited] = useState<Template | 'new'>();
  const [removing, setRemoving] = useState<Template>();
  return (
    <Page
      title={TEXT.title}
      actions={
        <>
          <PageLink to="/cases" search={{}} size="sm">
            {TEXT.back}
          </PageLink>
          {admin && <CreateButton onClick={() => setEdited('new')}>{TEXT.new}</CreateButton>}
        </>
      }
    >
      {!admin && (
        <Text size="sm" mb="sm">
          {TEXT.readOnly}
        </Text>
      )}
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label={PARTS_TEXT.loading} />}
      {data?.length === 0 && <Text c="dimmed">{TEXT.empty}</Text>}
      {data?.map((template) => (
        <Section
          key={template.id}
          title={template.name}
          actions={
            admin && (
              <>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={TEXT.editNamed(template.name)}
                  onClick={() => setEdited(template)}
                >
                  {TEXT.edit}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={TEXT.deleteNamed(template.name)}
                  onClick={() => setRemoving(template)}
                >
                  {TEXT.delete}
                </Button>
              </>
            )
          }
        >
          <Group gap="xs">
            <SeverityText severity={template.severity} />
            <Text size="sm">{visible(template.title)}</Text>
            <Text size="sm" c="dimmed">
              {TEXT.count(template.tasks.length)}
            </Text>
          </Group>
        </Section>
      ))}
      {edited !== undefined && (
        <TemplateForm {...(edited === 'new' ? {} : { template: edited })} onClose={() => setEdited(undefined)} />
      )}
      <Confirm
        opened={removing !== undefined}
        title={TEXT.deleteTitle(removing?.name ?? '')}
        action={TEXT.delete}
        onClose={() => setRemoving(undefined)}
        onConfirm={async () => {
          if (removing === undefined) return;
          await call('delete', '/api/case-templates/{id}', {
            path: { id: removing.id },
            headers: { 'if-match': removing.etag },
          });
          await queries.invalidateQueries({ queryKey: templatesQuery.queryKey });
        }}
      >
        {TEXT.deleteConfirm}
      </Confirm>
    </Page>
  );
}
