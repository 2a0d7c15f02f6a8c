import { Alert, Button, Code, Group, List, Text } from '@mantine/core';
import { adviceFor, Failure, titleFor } from '../api/failure.ts';
import { Icon } from './icons.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.failure;

/** Status of an invalid request. A retry would not help. */
const INVALID = 400;

/** Returns the field of an issue. The search parameter has a displayed name. */
function nameOf(field: string) {
  if (field === '<root>') return undefined;
  return field === 'q' ? TEXT.search : <Code>{field}</Code>;
}

/** Scrolls a notice into view. A dialog can be scrolled to its buttons, below the notice. */
function showInDialog(notice: HTMLElement | null): void {
  if (notice?.closest('[role="dialog"]')) notice.scrollIntoView({ block: 'nearest' });
}

/** Shows an error, what the user can do, and the request ID for the server's log. */
export function FailureNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const failure = error instanceof Failure ? error : undefined;
  return (
    <Alert
      ref={showInDialog}
      color="red"
      variant="outline"
      title={titleFor(error)}
      role="alert"
      my="sm"
      icon={<Icon name="failure" size={20} />}
    >
      {failure !== undefined && failure.issues.length > 0 && (
        <List size="sm" mb="xs">
          {failure.issues.map(({ field, message, line, column }) => (
            <List.Item key={`${field} ${line} ${column} ${message}`}>
              {nameOf(field)} {line !== undefined && TEXT.line(line)}
              {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {failure ? adviceFor(failure) : TEXT.console}
        {failure?.status === 0 && onRetry && ` ${TEXT.automatic}`}
      </Text>
      <Group mt="xs" gap="sm">
        {onRetry && failure?.status !== INVALID && (
          <Button size="compact" variant="default" leftSection={<Icon name="refresh" />} onClick={onRetry}>
            {TEXT.retry}
          </Button>
        )}
        {failure?.requestId && (
          <Text size="xs" c="dimmed">
            {TEXT.request} <Code>{failure.requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  );
}
