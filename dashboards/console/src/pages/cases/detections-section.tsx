import { Button, Loader, Table, Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { SeverityText } from '../../parts/severity-text.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { STATUS_TONES, subjectOf, titleOf } from '../detections/detection-columns.tsx';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import type { WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.detections;
/** Each detection needs a request. */
const MAX_SHOWN = 25;

/** The detections of a case. */
export function DetectionsSection({ of: { id, detectionIds } }: { readonly of: WholeCase }) {
  const queries = useQueryClient();
  const shown = detectionIds.slice(0, MAX_SHOWN);
  const results = useQueries({
    queries: shown.map((detection) => ({
      queryKey: ['detections', 'row', detection],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await call('get', '/api/detections', { query: { detection, limit: 1 }, signal })).data[0] ?? null,
    })),
  });

  async function remove(detectionId: string) {
    try {
      await call('delete', '/api/cases/{id}/detections/{detectionId}', { path: { id, detectionId } });
      await queries.invalidateQueries({ queryKey: ['cases'] });
    } catch (error) {
      showFailure(error);
    }
  }

  return (
    <Section title={TEXT.title(detectionIds.length)}>
      {detectionIds.length === 0 && (
        <Text size="sm" c="dimmed">
          {TEXT.empty}
        </Text>
      )}
      {shown.length > 0 && (
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {shown.map((detectionId, index) => {
              const found = results[index]?.data;
              const name = found == null ? detectionId : titleOf(found);
              return (
                <Table.Tr key={detectionId}>
                  <Table.Td>
                    {found === undefined && <Loader size="xs" aria-label={TEXT.loading} />}
                    {found === null && <Text size="sm">{TEXT.gone(detectionId)}</Text>}
                    {found != null && (
                      <>
                        <ValueActions
                          name="rule"
                          value={found.rule.id}
                          shown={name}
                          list="/detections"
                          subject={subjectOf(found)}
                        >
                          <SeverityText severity={found.severity} />
                          {' · '}
                          <PageLink to="/detections/$id" params={{ id: detectionId }} size="sm" fw={500}>
                            {name}
                          </PageLink>
                        </ValueActions>
                        <Text size="xs" c="dimmed" mt={2}>
                          <StatusBadge
                            text={DETECTIONS_TEXT.statuses[found.status]}
                            tone={STATUS_TONES[found.status]}
                          />
                          {' · '}
                          {TEXT.lastSeen} <TimeText at={found.lastSeen} ago />
                        </Text>
                      </>
                    )}
                  </Table.Td>
                  <Table.Td w="5rem" ta="right">
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={TEXT.removeNamed(name)}
                      onClick={() => void remove(detectionId)}
                    >
                      {TEXT.remove}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
      {detectionIds.length > MAX_SHOWN && <Text size="sm">{TEXT.more(detectionIds.length - MAX_SHOWN)}</Text>}
    </Section>
  );
}
