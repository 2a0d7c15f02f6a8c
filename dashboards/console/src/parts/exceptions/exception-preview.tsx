import { Paper, Text } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { useRuleTitle } from '../../api/rules.ts';
import { PageLink } from '../page-link.tsx';
import { PARTS_TEXT } from '../text.ts';
import { TimeText } from '../time/time-text.tsx';
import { visible } from '../visible.ts';

const TEXT = PARTS_TEXT.exceptions;

/** Stored detections that an exception would silence. */
export function ExceptionPreview({ found }: { readonly found: Answer<'post', '/api/exceptions/preview'> }) {
  const titleOf = useRuleTitle();
  const { silenced, open, examined, complete, examples } = found;
  return (
    <Paper withBorder p="sm" role="status" aria-label={TEXT.preview}>
      <Text>{TEXT.matches(silenced, examined, complete, open)}</Text>
      {examples.length > 0 && (
        <ul className="tl-plain-list">
          {examples.map(({ id, rule, hostname, procname, lastSeen }) => (
            <li key={id}>
              <Text size="sm" mt={4}>
                <PageLink to="/detections/$id" params={{ id }} underline="always" inherit>
                  {visible(TEXT.detection(titleOf(rule), procname, hostname))}
                </PageLink>{' '}
                <TimeText at={lastSeen} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {silenced > examples.length && (
        <Text size="sm" c="dimmed" mt={4}>
          {TEXT.latest(examples.length)}
        </Text>
      )}
    </Paper>
  );
}
