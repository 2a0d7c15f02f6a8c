import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { addressOf } from '../../../api/client.ts';
import { caseQuery, reportQuery } from '../../../pages/cases/queries.ts';
import { CASES_TEXT } from '../../../pages/cases/text.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { ReportView } from '../../../parts/markdown/markdown-view.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';

export const Route = createFileRoute('/_signed-in/case-reports/$id')({
  component: ReportPage,
});

const TEXT = CASES_TEXT.report;

function ReportPage() {
  const { id } = Route.useParams();
  const { data: of } = useQuery(caseQuery(id));
  const { data, error, refetch } = useQuery(reportQuery(id));
  return (
    <Page
      title={of === undefined ? TEXT.label : TEXT.title(of.number)}
      actions={
        <>
          <PageLink to="/cases/$id" params={{ id }} size="sm">
            {TEXT.back}
          </PageLink>
          <Button
            size="compact-md"
            variant="default"
            component="a"
            href={addressOf('/api/cases/{id}/report', { path: { id } })}
            download={`case-${of?.number ?? id}.md`}
          >
            {TEXT.download}
          </Button>
          <Button size="compact-md" disabled={data === undefined} onClick={() => window.print()}>
            {TEXT.print}
          </Button>
        </>
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {data !== undefined && <ReportView markdown={data} />}
    </Page>
  );
}
