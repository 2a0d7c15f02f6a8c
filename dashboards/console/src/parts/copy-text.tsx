import { Button, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';

/** Text to copy: a command, a key. In a region that the keyboard reaches, because long lines scroll. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  const { copy, copied, error } = useClipboard();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" my={6}>
      <pre role="region" aria-label={label} tabIndex={0} className="tl-mono tl-copy-text">
        {text}
      </pre>
      <Button size="compact-sm" variant="default" onClick={() => copy(text)} aria-label={`Copy: ${label}`}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
      {error && (
        <Text size="sm" role="alert">
          The browser does not let this page copy: select the text and copy it.
        </Text>
      )}
    </Group>
  );
}
