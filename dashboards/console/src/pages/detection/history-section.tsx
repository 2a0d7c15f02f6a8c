import { List, Loader, Text } from '@mantine/core';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { changeText } from './change-text.ts';
import { DETECTION_TEXT } from './text.ts';
import { useHistory } from './use-history.ts';

const TEXT = DETECTION_TEXT.history;

export function HistorySection({ id }: { readonly id: string }) {
  const { data, error, refetch } = useHistory(id);
  return (
    <Section title={TEXT.title}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {data?.data.length === 0 && <Text size="sm">{TEXT.empty}</Text>}
      <List size="sm" listStyleType="none">
        {data?.data.map(({ version, at, username, actor, automation, executionId, before, after }) => (
          <List.Item key={version} mb={4}>
            <TimeText at={at} ago />{' '}
            {executionId === null ? (
              <strong>{username ?? actor}</strong>
            ) : (
              <>
                <PageLink to="/executions/$id" params={{ id: executionId }} size="sm">
                  {DETECTION_TEXT.automation(automation ?? executionId)}
                </PageLink>
                {DETECTION_TEXT.automationFor(username ?? actor)}
              </>
            )}
            : {changeText(before, after)}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
