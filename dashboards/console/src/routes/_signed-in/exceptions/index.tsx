import { Box, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { exceptionPolicyQuery, waitingRequestsQuery } from '../../../api/exceptions.ts';
import { cursorList } from '../../../api/lists.ts';
import { useRuleTitle } from '../../../api/rules.ts';
import { may } from '../../../api/session.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { ExceptionDetails } from '../../../pages/exceptions/exception-details.tsx';
import { type Exception, stateOfException, subjectText } from '../../../pages/exceptions/exception-state.ts';
import { ExceptionStateBadge } from '../../../pages/exceptions/exception-state-badge.tsx';
import { FileExceptions } from '../../../pages/exceptions/file-exceptions.tsx';
import { PolicySection } from '../../../pages/exceptions/policy-section.tsx';
import { RequestsTab } from '../../../pages/exceptions/requests-tab.tsx';
import type { ExceptionsSearch } from '../../../pages/exceptions/search.ts';
import { Subject } from '../../../pages/exceptions/subject.tsx';
import { subjectValues } from '../../../pages/exceptions/subject-values.ts';
import { EXCEPTIONS_TEXT } from '../../../pages/exceptions/text.ts';
import { CreateButton } from '../../../parts/create-button.tsx';
import { defined } from '../../../parts/defined.ts';
import { ROW_PX } from '../../../parts/list/list-height.ts';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageTabs } from '../../../parts/page-tabs.tsx';
import { choiceParam, onlyRead } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../parts/values/value-columns.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/exceptions/')({
  staticData: {
    section: { group: 'Detection', order: 6, label: APP_TEXT.sections.exceptions, role: 'analyst', keys: 'g x' },
  },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): ExceptionsSearch =>
      defined({
        ended: choiceParam(String(search.ended), ['true']),
        tab: choiceParam(search.tab, ['requests']),
        state: choiceParam(search.state, ['all']),
      }),
  ),
  component: ExceptionsPage,
});

/** Row height on a phone: two lines for the subject, and one for the rest. */
const PHONE_ROW_PX = 64;

const HEADERS = EXCEPTIONS_TEXT.columns;

const columns = (titleOf: (rule: string) => string) =>
  valueColumns<Exception>({ titleOf: (exception) => subjectText(exception, titleOf) }, [
    {
      id: 'subject',
      header: HEADERS.subject,
      width: 'minmax(6rem, 1.5fr)',
      valuesOf: (exception) => subjectValues(exception, titleOf),
      cell: (exception) => (
        <span className="tl-two-lines">
          <Subject of={exception} />
        </span>
      ),
      phoneLine: ({ expires, reason }) => (
        <>
          {expires === null ? EXCEPTIONS_TEXT.never : <TimeText at={expires} ago />}
          {' · '}
          {visible(reason)}
        </>
      ),
    },
    {
      id: 'reason',
      header: HEADERS.reason,
      width: 'minmax(6rem, 1fr)',
      wideOnly: true,
      valuesOf: ({ reason }) => ({ name: 'reason', value: reason }),
    },
    {
      id: 'expires',
      header: HEADERS.expires,
      width: '7.5rem',
      wideOnly: true,
      valuesOf: ({ expires }) => timeValue('expires', expires),
      cell: ({ expires }) => (expires === null ? EXCEPTIONS_TEXT.never : <TimeText at={expires} ago />),
    },
    {
      id: 'state',
      header: HEADERS.state,
      width: '6rem',
      valuesOf: (exception) => {
        const state = stateOfException(exception);
        return { name: 'state', value: state, shown: EXCEPTIONS_TEXT.states[state] };
      },
      cell: (exception) => <ExceptionStateBadge of={exception} />,
    },
  ]);

function ExceptionsPage() {
  const { tab = 'exceptions', state } = Route.useSearch();
  const navigate = useNavigate();
  const admin = may(useProfile(), 'admin');
  const { data: policy } = useQuery(exceptionPolicyQuery);
  const { data: waiting = 0 } = useQuery({ ...waitingRequestsQuery, enabled: admin });
  const create = () => void navigate({ to: '/exceptions/new', search: {} });
  const createText = policy?.mayCreate === false ? EXCEPTIONS_TEXT.request : EXCEPTIONS_TEXT.create;
  useShortcuts([{ keys: 'n', does: createText, run: create }]);
  const tabs = [
    { id: 'exceptions', label: EXCEPTIONS_TEXT.tabs.exceptions, content: () => <ExceptionList /> },
    {
      id: 'requests',
      label: EXCEPTIONS_TEXT.tab(EXCEPTIONS_TEXT.tabs.requests, waiting),
      content: () => (
        <RequestsTab
          all={state === 'all'}
          onAll={(all) =>
            void navigate({
              to: '/exceptions',
              search: { tab: 'requests', ...(all ? { state: 'all' } : {}) },
              replace: true,
            })
          }
        />
      ),
    },
  ] as const;
  return (
    <Page title={EXCEPTIONS_TEXT.title} actions={<CreateButton onClick={create}>{createText}</CreateButton>}>
      <PageTabs
        label={EXCEPTIONS_TEXT.tabs.label}
        tabs={tabs}
        value={tab}
        onChange={(chosen) =>
          void navigate({ to: '/exceptions', search: chosen === 'requests' ? { tab: chosen } : {}, replace: true })
        }
      />
    </Page>
  );
}

/** The exceptions, those of the rules file, and the policy on who may create them. */
function ExceptionList() {
  const { ended } = Route.useSearch();
  const navigate = useNavigate();
  const admin = may(useProfile(), 'admin');
  const [openedId, setOpenedId] = useState<string>();
  const query = useInfiniteQuery(
    cursorList<Exception>(['exceptions', ended], (cursor, signal) =>
      call('get', '/api/exceptions', {
        signal,
        query: defined({ ended: ended === 'true' ? true : undefined, cursor }),
      }),
    ),
  );
  const wide = useMediaQuery('(min-width: 48em)', true);
  const opened = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === openedId);
  return (
    <>
      <Switch
        mb="sm"
        size="sm"
        label={EXCEPTIONS_TEXT.showRemoved}
        checked={ended === 'true'}
        onChange={({ currentTarget }) =>
          void navigate({ to: '/exceptions', search: currentTarget.checked ? { ended: 'true' } : {}, replace: true })
        }
      />
      <RecordList
        label={EXCEPTIONS_TEXT.list}
        columns={columns(useRuleTitle())}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => setOpenedId(id)}
        empty={EXCEPTIONS_TEXT.empty}
        rowPx={wide ? ROW_PX : PHONE_ROW_PX}
        height="max(12rem, calc(100dvh - 30rem))"
      />
      <FileExceptions />
      <Box mt="md">
        <PolicySection editable={admin} />
      </Box>
      <ExceptionDetails
        exception={opened}
        removable={admin}
        onClose={() => setOpenedId(undefined)}
        onRemoved={() => void query.refetch()}
      />
    </>
  );
}
