import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { waitsCount } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const REFRESH_MS = 60_000;

/** How many executions wait for a decision of the user, for the navigation; nothing when there is none. */
export function ApprovalsCount() {
  const { data: count = 0 } = useQuery({ ...waitsCount, refetchInterval: REFRESH_MS });
  if (count === 0) return null;
  return (
    <Badge size="sm" variant="light" color="gray" autoContrast aria-label={EXECUTIONS_TEXT.approvals.waiting(count)}>
      {EXECUTIONS_TEXT.approvals.count(count)}
    </Badge>
  );
}
