import { List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { subjectText } from './exception-state.ts';

/** Exceptions of the rules file, which is changed by hand. Nothing is drawn when there are none. */
export function FileExceptions() {
  const listed = useQuery({
    queryKey: ['exceptions', 'file'],
    queryFn: ({ signal }) => call('get', '/api/exceptions', { signal, query: { limit: 1 } }),
    staleTime: 300_000,
  });
  const file = listed.data?.file ?? [];
  if (file.length === 0) return null;
  return (
    <section aria-label="Exceptions of the rules file">
      <Title order={2} size="h5" mt="md" mb="xs">
        In the rules file
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        They come first, and are changed where that file is kept.
      </Text>
      <List size="sm">
        {file.map((exception) => (
          <List.Item key={exception.id}>
            {subjectText(exception)}: {exception.reason}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
