import { Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { visible } from './visible.ts';

/** A value as JSON, in a region that the keyboard reaches because it scrolls, to read and to copy. Text that is JSON already is shown as it came: parsing it would lose digits. What can't be seen is shown as a sign; what is copied is as it came. */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const { copy, copied } = useClipboard();
  return (
    <div>
      <Group justify="flex-end" mb={4}>
        <Button size="compact-xs" variant="default" onClick={() => copy(text)}>
          {copied ? 'Copied' : `Copy ${label}`}
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
