import { Group, List, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ruleName } from '../../parts/rules/rule-name.ts';
import { Section } from '../../parts/section.tsx';
import { SeverityText } from '../../parts/severity-text.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.related;

const SHOWN = 6;

/** Other detections on the host. */
export function RelatedSection({ id, hostname }: { readonly id: string; readonly hostname: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['detections', 'of-host', hostname],
    queryFn: ({ signal }) => call('get', '/api/detections', { query: { hostname, limit: SHOWN + 1 }, signal }),
  });
  const others = data?.data.filter((one) => one.id !== id).slice(0, SHOWN);
  return (
    <Section
      title={TEXT.title(hostname)}
      actions={
        <PageLink to="/detections" search={{ hostname }} size="sm">
          {TEXT.all}
        </PageLink>
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {others === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {others?.length === 0 && <Text size="sm">{TEXT.empty}</Text>}
      <List size="sm" listStyleType="none">
        {others?.map((one) => (
          <List.Item key={one.id} mb="xs">
            <PageLink to="/detections/$id" params={{ id: one.id }} size="sm">
              {visible(TEXT.name(ruleName(one.rule), one.procname))}
            </PageLink>
            <Group gap={6}>
              <SeverityText severity={one.severity} />
              <Text size="sm" c="dimmed" component="span">
                {DETECTIONS_TEXT.statuses[one.status]}, <TimeText at={one.lastSeen} ago />
              </Text>
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
