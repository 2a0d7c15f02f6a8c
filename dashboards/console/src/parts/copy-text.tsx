import { Button, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icons.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.copy;

/** Text to copy, for example a command or a key. Long lines wrap, so that all copied text is visible. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  const { copy, copied, error } = useClipboard();
  return (
    <Group gap="xs" align="flex-start" my={6}>
      <pre role="region" aria-label={label} tabIndex={0} className="tl-mono tl-copy-text">
        {text}
      </pre>
      <Button
        size="compact"
        variant="default"
        leftSection={<Icon name={copied ? 'check' : 'copy'} />}
        onClick={() => copy(text)}
        aria-label={TEXT.named(label)}
      >
        {copied ? TEXT.done : TEXT.action}
      </Button>
      {error && (
        <Text size="sm" role="alert">
          {TEXT.unavailable}
        </Text>
      )}
    </Group>
  );
}
