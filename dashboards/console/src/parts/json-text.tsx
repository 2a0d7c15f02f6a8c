import { Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.copy;

/**
 * A value as JSON in a focusable region, with a button to copy it. A string is shown unparsed, because parsing would lose digits. Invisible
 * characters are shown as signs; the copied text is unchanged.
 */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const { copy, copied } = useClipboard();
  return (
    <div>
      <Group justify="flex-end" mb={4}>
        <Button size="compact" variant="default" onClick={() => copy(text)}>
          {copied ? TEXT.done : TEXT.value(label)}
        </Button>
      </Group>
      <pre
        role="region"
        className="tl-mono"
        tabIndex={0}
        aria-label={label}
        style={{ overflow: 'auto', maxHeight: '32rem', margin: 0 }}
      >
        {visible(text)}
      </pre>
    </div>
  );
}
