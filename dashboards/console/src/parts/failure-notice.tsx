import { Alert, Button, Code, Group, List, Text } from '@mantine/core';
import { adviceFor, Failure } from '../api/failure.ts';

/** What went wrong, what to do, and the id by which the server's log tells more. */
export function FailureNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const failure = error instanceof Failure ? error : undefined;
  return (
    <Alert color="red" variant="outline" title={titleOf(error)} role="alert" my="sm">
      {failure !== undefined && failure.issues.length > 0 && (
        <List size="sm" mb="xs">
          {failure.issues.map(({ field, message, line, column }) => (
            <List.Item key={`${field} ${line} ${column} ${message}`}>
              {field !== '<root>' && <Code>{field}</Code>} {line !== undefined && `line ${line}: `}
              {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {failure ? adviceFor(failure) : 'This is a fault of the console. Load the page again; if it stays, report it.'}
      </Text>
      <Group mt="xs" gap="sm">
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {failure?.requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{failure.requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  );
}

export function titleOf(error: unknown): string {
  if (!(error instanceof Failure)) return 'Something failed in the console';
  if (error.status === 0) return 'No answer';
  if (error.status >= 500) return 'The server could not do it';
  return 'This was refused';
}
