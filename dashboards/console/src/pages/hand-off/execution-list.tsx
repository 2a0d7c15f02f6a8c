import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExecutionStatus } from '../../parts/execution/status.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { executionsQuery, type LinkedExecution } from './queries.ts';
import type { Subject } from './subject.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.executions;

/** Workflows and agents that were run on a detection or case. Empty if none exist. */
export function ExecutionList({ subject }: { readonly subject: Subject }) {
  const { data = [] } = useQuery(executionsQuery(subject));
  if (data.length === 0) return null;
  return (
    <Section title={TEXT.title}>
      <ul className="tl-plain-list">
        {data.map((execution) => (
          <li key={execution.executionId}>
            <Text size="sm" component="span">
              {execution.status !== null && (
                <>
                  <ExecutionStatus status={execution.status} />{' '}
                </>
              )}
              {TEXT.kinds[execution.kind]} <ExecutionLink of={execution} />{' '}
              {TEXT.by(execution.username ?? execution.actor)} <TimeText at={execution.at} ago />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The name of a workflow or agent as a link to its execution. */
export function ExecutionLink({
  of: { executionId, kind, name },
}: {
  readonly of: Pick<LinkedExecution, 'executionId' | 'kind' | 'name'>;
}) {
  const text = name ?? TEXT.unnamed;
  return kind === 'workflow' || name === null ? (
    <PageLink to="/executions/$id" params={{ id: executionId }} size="sm" underline="always">
      {text}
    </PageLink>
  ) : (
    <PageLink
      to="/agents/$id/executions/$execution"
      params={{ id: name, execution: executionId }}
      search={{}}
      size="sm"
      underline="always"
    >
      {text}
    </PageLink>
  );
}
