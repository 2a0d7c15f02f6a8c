import { List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useRuleTitle } from '../../api/rules.ts';
import { subjectText } from './exception-state.ts';
import { EXCEPTIONS_TEXT } from './text.ts';

const TEXT = EXCEPTIONS_TEXT.file;

/** Exceptions of the rules file, which cannot be edited here. Renders nothing if none exist. */
export function FileExceptions() {
  const titleOf = useRuleTitle();
  const listed = useQuery({
    queryKey: ['exceptions', 'file'],
    queryFn: ({ signal }) => call('get', '/api/exceptions', { signal, query: { limit: 1 } }),
    staleTime: 300_000,
  });
  const file = listed.data?.file ?? [];
  if (file.length === 0) return null;
  return (
    <section aria-label={TEXT.label}>
      <Title order={2} size="h5" mt="md" mb="xs">
        {TEXT.title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {TEXT.hint}
      </Text>
      <List size="sm">
        {file.map((exception) => (
          <List.Item key={exception.id}>{TEXT.item(subjectText(exception, titleOf), exception.reason)}</List.Item>
        ))}
      </List>
    </section>
  );
}
