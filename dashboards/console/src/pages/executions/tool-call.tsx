import { Alert, Stack, Text } from '@mantine/core';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import type { Wait } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.toolCall;

/**
 * The tool call about which a user decides. The agent chose its arguments, possibly influenced by an attacker's data.
 */
export function ToolCall({ toolCall }: { readonly toolCall: NonNullable<Wait['toolCall']> }) {
  const { tool, arguments: given, truncated, expiresAt } = toolCall;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {TEXT.tool} <b className="tl-mono">{visible(tool)}</b>. {TEXT.expires}
        <TimeText at={expiresAt} />.
      </Text>
      <Alert variant="outline" title={TEXT.untrusted}>
        <Text size="sm" mb="xs">
          {TEXT.untrustedHint}
        </Text>
        {/* Wraps lines. Text beyond the edge would be approved unread. */}
        <pre
          role="region"
          className="tl-mono"
          tabIndex={0}
          aria-label={TEXT.arguments}
          style={{ overflow: 'auto', maxHeight: '24rem', margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {visible(given)}
        </pre>
      </Alert>
      {truncated && (
        <Text size="sm" c="dimmed">
          {TEXT.truncated}
        </Text>
      )}
    </Stack>
  );
}
