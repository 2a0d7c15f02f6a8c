import { Paper, Text } from '@mantine/core';
import type { Answer } from '../api/client.ts';
import { counted } from './counted.ts';
import { PageLink } from './page-link.tsx';
import { TimeText } from './time-text.tsx';
import { visible } from './visible.ts';

/** What an exception would have silenced of the detections that are kept. */
export function ExceptionPreview({ found }: { readonly found: Answer<'post', '/api/exceptions/preview'> }) {
  const { silenced, open, examined, complete, examples } = found;
  return (
    <Paper withBorder p="sm" role="status" aria-label="What it would have silenced">
      <Text>
        It would have silenced <b>{silenced.toLocaleString()}</b> of {complete ? 'all' : 'the newest'}{' '}
        {counted(examined, 'detection')}; {open.toLocaleString()} of them open now.
      </Text>
      {examples.length > 0 && (
        <ul className="tl-plain-list">
          {examples.map(({ id, message, hostname, lastSeen }) => (
            <li key={id}>
              <Text size="sm" mt={4}>
                <PageLink to="/detections/$id" params={{ id }} underline="always" inherit>
                  {visible(message)}
                </PageLink>{' '}
                {hostname !== null && `on ${visible(hostname)}, `}
                <TimeText at={lastSeen} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {silenced > examples.length && (
        <Text size="sm" c="dimmed" mt={4}>
          These are the newest {examples.length}.
        </Text>
      )}
    </Paper>
  );
}
