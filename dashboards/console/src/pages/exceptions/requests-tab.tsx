import { Switch } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { exceptionPolicyQuery } from '../../api/exceptions.ts';
import { cursorList } from '../../api/lists.ts';
import { useRuleTitle } from '../../api/rules.ts';
import { defined } from '../../parts/defined.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import { subjectText } from './exception-state.ts';
import { type ExceptionRequest, RequestDetails, requesterOf } from './request-details.tsx';
import { RequestStateBadge } from './request-state-badge.tsx';
import { Subject } from './subject.tsx';
import { subjectValues } from './subject-values.ts';
import { EXCEPTIONS_TEXT } from './text.ts';

const TEXT = EXCEPTIONS_TEXT.requests;
const HEADERS = TEXT.columns;

const columns = (titleOf: (rule: string) => string) =>
  valueColumns<ExceptionRequest>({ titleOf: (request) => subjectText(request, titleOf) }, [
    {
      id: 'subject',
      header: HEADERS.subject,
      width: 'minmax(6rem, 1.5fr)',
      valuesOf: (request) => subjectValues(request, titleOf),
      cell: (request) => <Subject of={request} />,
      phoneLine: (request) => (
        <>
          <NarrowedTo request={request} />
          {requesterOf(request)} · <TimeText at={request.createdAt} ago />
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
      id: 'requester',
      header: HEADERS.requester,
      width: 'minmax(6rem, 0.7fr)',
      wideOnly: true,
      valuesOf: (request) => ({ name: 'requester', value: requesterOf(request) }),
    },
    {
      id: 'at',
      header: HEADERS.at,
      width: '7rem',
      wideOnly: true,
      valuesOf: ({ createdAt }) => timeValue('createdAt', createdAt),
      cell: ({ createdAt }) => <TimeText at={createdAt} ago />,
    },
    {
      id: 'state',
      header: HEADERS.state,
      width: '6.5rem',
      valuesOf: ({ state }) => ({ name: 'state', value: state, shown: TEXT.states[state] }),
      cell: ({ state }) => <RequestStateBadge state={state} />,
    },
  ]);

/** Exception requests: open ones, or all. */
export function RequestsTab({ all, onAll }: { readonly all: boolean; readonly onAll: (all: boolean) => void }) {
  const [openedId, setOpenedId] = useState<string>();
  const policy = useQuery(exceptionPolicyQuery);
  const query = useInfiniteQuery(
    cursorList<ExceptionRequest>(['exception-requests', all], (cursor, signal) =>
      call('get', '/api/exception-requests', {
        signal,
        query: defined({ state: all ? undefined : ('open' as const), cursor }),
      }),
    ),
  );
  const opened = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === openedId);
  return (
    <>
      <Switch
        mb="sm"
        size="sm"
        label={TEXT.onlyOpen}
        checked={!all}
        onChange={({ currentTarget }) => onAll(!currentTarget.checked)}
      />
      <RecordList
        label={TEXT.list}
        columns={columns(useRuleTitle())}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => setOpenedId(id)}
        empty={all ? TEXT.empty : TEXT.emptyOpen}
        height="max(16rem, calc(100dvh - 22rem))"
      />
      {opened !== undefined && (
        <RequestDetails
          key={opened.id}
          request={opened}
          mayDecide={policy.data?.mayDecide ?? false}
          onClose={() => setOpenedId(undefined)}
        />
      )}
    </>
  );
}

/** Scope of the exception below the rule name, because a phone truncates it behind the name. */
function NarrowedTo({ request }: { readonly request: ExceptionRequest }) {
  const { rule, hostname, program, file } = request;
  if (rule === null || (hostname ?? program ?? file) === null) return null;
  return (
    <>
      <Subject of={{ hostname, program, file }} />
      {' · '}
    </>
  );
}
