import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageLink } from '../../parts/page-link.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { executionLimitsQuery } from '../workflows/limit-queries.ts';
import { LIMITS_TEXT } from '../workflows/limits-text.ts';

const TEXT = LIMITS_TEXT.execution;

/** Reason why an execution has not started: the workflow limit for which it waits, and its position in the queue. */
export function QueuedAlert({
  executionId,
  workflow,
}: {
  readonly executionId: string;
  readonly workflow: string | undefined;
}) {
  const { data } = useQuery(executionLimitsQuery(executionId));
  const waits = data?.waitsFor ?? null;
  if (waits === null) return null;
  const { reason, key, ahead, until, mergedStarts } = waits;
  const queued = reason === 'concurrency' || reason === 'throttle';
  return (
    <Alert variant="outline" mb="sm" title={TEXT.title(LIMITS_TEXT.reasons[reason] ?? reason)}>
      <Text size="sm">
        {key !== null && visible(TEXT.key(key))}
        {queued && (ahead > 0 ? TEXT.ahead(ahead) : TEXT.next)}
        {mergedStarts > 0 && TEXT.merged(mergedStarts)}
        {until !== null && (
          <>
            {TEXT.until}
            <TimeText at={until} />
          </>
        )}
      </Text>
      {workflow !== undefined && (
        <PageLink to="/workflows/$id" params={{ id: workflow }} search={{ tab: 'limits' }} size="sm">
          {TEXT.limits}
        </PageLink>
      )}
    </Alert>
  );
}
