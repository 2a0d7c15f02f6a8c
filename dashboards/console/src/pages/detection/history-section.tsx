import { List, Loader, Text } from '@mantine/core';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { changeText } from './change-text.ts';
import { useHistory } from './use-history.ts';

export function HistorySection({ id }: { readonly id: string }) {
  const { data, error, refetch } = useHistory(id);
  return (
    <Section title="History">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label="Loading the history" />}
      {data?.data.length === 0 && <Text size="sm">Nobody has decided anything yet.</Text>}
      <List size="sm" listStyleType="none">
        {data?.data.map(({ version, at, username, actor, automation, executionId, before, after }) => (
          <List.Item key={version} mb={4}>
            <TimeText at={at} ago />{' '}
            <strong>{executionId === null ? (username ?? actor) : `Automation ${automation ?? executionId}`}</strong>:{' '}
            {changeText(before, after)}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
