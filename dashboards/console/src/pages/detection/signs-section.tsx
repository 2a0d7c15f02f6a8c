import { Group, Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ruleName } from '../../parts/rules/rule-name.ts';
import { Section } from '../../parts/section.tsx';
import { SeverityText } from '../../parts/severity-text.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { momentText } from '../../parts/time/time-words.ts';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import type { Detection } from './detection-types.ts';
import { Picture } from './picture/picture.tsx';
import { signsPicture } from './picture/signs-picture.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.signs;

/** The detections that contribute to an alert of a host's risk, with their points. */
export function SignsSection({
  of: { id, revision, risk, hostname },
}: {
  readonly of: Pick<Detection, 'id' | 'revision' | 'risk' | 'hostname'>;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['detection', id, 'signs', revision],
    queryFn: ({ signal }) => call('get', '/api/detections/{id}/signs', { path: { id }, signal }),
  });
  const picture = useMemo(() => data && signsPicture(data.data), [data]);
  return (
    <Section title={TEXT.title}>
      {risk !== null && (
        <Text size="sm" mb="xs">
          {TEXT.risk(risk.score, risk.normalised, risk.level)}
        </Text>
      )}
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {data?.data.length === 0 && <Text size="sm">{TEXT.empty}</Text>}
      {picture !== undefined && <Picture model={picture} />}
      {data !== undefined && data.data.length > 0 && (
        <Table mt="sm" aria-label={TEXT.title} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="tl-nowrap">{TEXT.columns.sign}</Table.Th>
              <Table.Th className="tl-nowrap">{TEXT.columns.program}</Table.Th>
              <Table.Th className="tl-nowrap" ta="right">
                {TEXT.columns.points}
              </Table.Th>
              <Table.Th className="tl-nowrap">{TEXT.columns.detections}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ rule, procname, points, detections }) => (
              <Table.Tr key={`${rule.id} ${procname}`}>
                <Table.Td>
                  <ValueActions
                    name="rule"
                    value={rule.id}
                    shown={ruleName(rule)}
                    list="/detections"
                    subject={{ hostname, procname }}
                  >
                    <PageLink to="/rules/$id" params={{ id: rule.id }} size="sm">
                      {ruleName(rule)}
                    </PageLink>
                  </ValueActions>
                </Table.Td>
                <Table.Td>
                  <ValueActions name="procname" value={procname} list="/detections" subject={{ hostname, procname }}>
                    {procname === null ? '–' : visible(procname)}
                  </ValueActions>
                </Table.Td>
                <Table.Td ta="right" className="tl-nowrap">
                  <ValueActions name="points" value={points} subject={{ hostname, procname }}>
                    {points}
                  </ValueActions>
                </Table.Td>
                <Table.Td>
                  {detections.map((one) => (
                    <Group gap={6} key={one.id}>
                      <SeverityText severity={one.severity} />
                      <span>
                        <ValueActions
                          name="last"
                          by="range"
                          value={one.lastSeen}
                          shown={momentText(new Date(one.lastSeen))}
                          list="/detections"
                          subject={{ hostname, procname }}
                        >
                          <PageLink to="/detections/$id" params={{ id: one.id }} size="sm">
                            <TimeText at={one.lastSeen} />
                          </PageLink>
                        </ValueActions>
                      </span>
                      <Text size="sm" c="dimmed" component="span">
                        {DETECTIONS_TEXT.statuses[one.status]}
                        {one.verdict === null ? '' : `, ${DETECTION_TEXT.verdicts[one.verdict]}`}
                      </Text>
                    </Group>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
