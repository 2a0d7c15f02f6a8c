import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { visible } from '../../parts/visible.ts';
import { CASE_TONES } from '../cases/case-columns.tsx';
import { CASES_TEXT } from '../cases/text.ts';
import { HAND_OFF_TEXT } from './text.ts';

/** The cases that contain a detection. Empty if none exist. */
export function CasesOfDetection({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ['cases', 'of', id],
    queryFn: ({ signal }) => call('get', '/api/cases', { query: { detection: id, limit: 20 }, signal }),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={HAND_OFF_TEXT.inCases.title}>
      <ul className="tl-plain-list">
        {data.data.map(({ id: caseId, number, title, status }) => (
          <li key={caseId}>
            <Text size="sm" component="span">
              <PageLink to="/cases/$id" params={{ id: caseId }} size="sm">
                {visible(CASES_TEXT.name(number, title))}
              </PageLink>{' '}
              <StatusBadge text={CASES_TEXT.statuses[status]} tone={CASE_TONES[status]} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}
