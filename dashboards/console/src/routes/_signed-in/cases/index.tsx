import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { APP_TEXT } from '../../../app/text.ts';
import { CASE_COLUMNS } from '../../../pages/cases/case-columns.tsx';
import { CaseFigures } from '../../../pages/cases/case-figures.tsx';
import { CaseFilterBar } from '../../../pages/cases/case-filters.tsx';
import { NewCase } from '../../../pages/cases/new-case.tsx';
import { casesList } from '../../../pages/cases/queries.ts';
import { readCaseFilters } from '../../../pages/cases/search.ts';
import { CASES_TEXT } from '../../../pages/cases/text.ts';
import { CreateButton } from '../../../parts/create-button.tsx';
import { defined } from '../../../parts/defined.ts';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { onlyRead } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';

export const Route = createFileRoute('/_signed-in/cases/')({
  staticData: {
    section: { group: 'Detection', order: 1.5, label: APP_TEXT.sections.cases, role: 'analyst', keys: 'g c' },
  },
  validateSearch: onlyRead(readCaseFilters),
  component: CasesPage,
});

function CasesPage() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useInfiniteQuery(casesList(filters));
  const [creating, setCreating] = useState(false);
  useShortcuts([{ keys: 'n', does: CASES_TEXT.new.title, run: () => setCreating(true) }]);
  return (
    <Page
      title={CASES_TEXT.title}
      actions={
        <>
          <PageLink to="/case-templates" size="sm">
            {CASES_TEXT.templates.link}
          </PageLink>
          <CreateButton onClick={() => setCreating(true)}>{CASES_TEXT.new.action}</CreateButton>
        </>
      }
    >
      <CaseFigures />
      <CaseFilterBar
        filters={filters}
        onChange={(change) => void navigate({ search: defined({ ...filters, ...change }), replace: true })}
      />
      <RecordList
        label={CASES_TEXT.list}
        columns={CASE_COLUMNS}
        query={query}
        rowId={({ id }) => id}
        severity={({ severity }) => severity}
        onOpen={({ id }) => void navigate({ to: '/cases/$id', params: { id } })}
        height="max(16rem, calc(100dvh - 22rem))"
        empty={Object.keys(filters).length === 0 ? CASES_TEXT.empty : CASES_TEXT.noMatch}
      />
      {creating && <NewCase onClose={() => setCreating(false)} />}
    </Page>
  );
}
