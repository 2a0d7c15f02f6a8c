import { Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { isAnswerable } from '#schemas/api/answer-event.ts';
import { APP_TEXT } from '../../app/text.ts';
import { AnswerDrawer } from '../../pages/executions/answer-drawer.tsx';
import { unitTitle, type Wait, waitsList } from '../../pages/executions/queries.ts';
import { EXECUTIONS_TEXT } from '../../pages/executions/text.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { Page } from '../../parts/page.tsx';
import { RefreshButton } from '../../parts/refresh-button.tsx';
import { onlyRead, textParam } from '../../parts/search-params.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import type { ValuePage } from '../../parts/values/value-page.ts';
import { visible } from '../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/approvals')({
  staticData: {
    section: {
      group: 'Automation',
      order: 3,
      label: APP_TEXT.sections.approvals,
      role: 'user',
      keys: 'g p',
    },
  },
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly wait?: string } => {
    const wait = textParam(given.wait);
    return wait === undefined ? {} : { wait };
  }),
  component: ApprovalsPage,
});

const TEXT = EXECUTIONS_TEXT.approvals;
const REFRESH_MS = 20_000;

const COLUMNS = valueColumns<Wait>({ titleOf: unitTitle }, [
  {
    id: 'workflow',
    header: TEXT.columns.workflow,
    width: 'minmax(5rem, 2fr)',
    valuesOf: (wait) => ({ name: 'workflow', value: unitTitle(wait), page: unitPage(wait) }),
    cell: (wait) => (
      <Text span inherit fw={500}>
        {unitTitle(wait)}
      </Text>
    ),
    phoneLine: aboutText,
  },
  {
    id: 'since',
    header: TEXT.columns.since,
    width: '7rem',
    valuesOf: ({ since }) => timeValue('since', since),
    cell: ({ since }) => <TimeText at={since} ago />,
    wideOnly: true,
  },
  {
    id: 'input',
    header: TEXT.columns.input,
    width: 'minmax(8rem, 3fr)',
    valuesOf: (wait) => ({ name: 'input', value: aboutText(wait) }),
    cell: (wait) => <span className="tl-mono">{aboutText(wait)}</span>,
    wideOnly: true,
  },
  {
    id: 'for',
    header: TEXT.columns.waitsFor,
    width: '6.5rem',
    valuesOf: (wait) => ({ name: 'waitsFor', value: awaitedText(wait) }),
    cell: (wait) => <StatusBadge text={awaitedText(wait)} tone={isAnswerable(wait) ? 'warning' : 'neutral'} />,
  },
]);

/** Executions that wait for a decision. */
function ApprovalsPage() {
  const { wait } = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const queries = useQueryClient();
  const query = useInfiniteQuery({ ...waitsList, refetchInterval: REFRESH_MS });
  const chosen = query.data?.pages
    .flatMap(({ data }) => data)
    .find((one) => placeOf(one) === wait || one.executionId === wait);
  return (
    <Page title={TEXT.title} actions={<RefreshButton query={query}>{TEXT.refresh}</RefreshButton>}>
      <Text size="sm" c="dimmed" mb="sm">
        {TEXT.hint}
      </Text>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={placeOf}
        onOpen={(row) => void navigate({ search: { wait: placeOf(row) } })}
        empty={TEXT.empty}
      />
      <AnswerDrawer
        key={wait ?? ''}
        wait={chosen}
        onClose={() => void navigate({ search: {} })}
        onAnswered={() => void navigate({ search: {} }).then(() => queries.invalidateQueries({ queryKey: ['waits'] }))}
      />
    </Page>
  );
}

/** Identifies a wait: the tool call, or the input of the execution, for example the host. */
function aboutText({ toolCall, input }: Wait): string {
  if (toolCall !== null) return visible(`${toolCall.tool} ${toolCall.arguments.replaceAll(/\s+/g, ' ')}`);
  return input === undefined ? '' : visible(JSON.stringify(input));
}

/** Returns the expected action: a decision, the approval of a call, or an event from another service. */
function awaitedText(wait: Wait): string {
  if (!isAnswerable(wait)) return TEXT.service;
  return wait.toolCall === null ? TEXT.decision : TEXT.toolCall;
}

function unitPage({ workflow, agent }: Wait): ValuePage | undefined {
  if (workflow) return { kind: 'workflow', id: workflow.name };
  return agent ? { kind: 'agent', id: agent.name } : undefined;
}

function placeOf({ executionId, wait }: Wait): string {
  return `${executionId}${wait}`;
}
