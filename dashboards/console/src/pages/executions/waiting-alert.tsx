import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isAnswerable } from '#schemas/api/answer-event.ts';
import { ApprovalFacts } from './approval-facts.tsx';
import { waitsOf } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.execution;

/** The event for which an execution waits, the users who may decide, and for these users a link to the decision. */
export function WaitingAlert({ executionId }: { readonly executionId: string }) {
  const { data: waits = [] } = useQuery(waitsOf(executionId));
  const guarded = waits.filter(({ approval }) => approval !== null);
  const mayDecide = guarded.length === 0 || waits.some((wait) => wait.mayDecide);
  const kind = waits.some(isAnswerable) ? 'approval' : waits.length > 0 ? 'event' : 'unknown';
  return (
    <Alert variant="outline" mb="sm" title={TEXT.waiting[kind]}>
      {guarded.map((wait) => (
        <ApprovalFacts key={wait.wait} wait={wait} />
      ))}
      {mayDecide ? (
        <Button renderRoot={(props) => <Link to="/approvals" search={{ wait: executionId }} {...props} />}>
          {TEXT.review}
        </Button>
      ) : (
        <Text size="sm" fw={600}>
          {EXECUTIONS_TEXT.approval.notYours}
        </Text>
      )}
    </Alert>
  );
}
