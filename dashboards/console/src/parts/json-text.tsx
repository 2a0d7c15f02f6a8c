import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { indentJson } from './indent-json.ts';
import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.copy;

/**
 * A value as JSON in a focusable region, with a button to copy it. A string is indented without being parsed, because parsing would lose digits.
 * Invisible characters are shown as signs; the copied text is unchanged.
 */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const { copy, copied } = useClipboard();
  return (
    <div className="tl-json">
      <Button className="tl-json-copy" size="compact" variant="default" onClick={() => copy(text)}>
        {copied ? TEXT.done : TEXT.value(label)}
      </Button>
      <pre role="region" className="tl-mono" tabIndex={0} aria-label={label}>
        {visible(indentJson(text))}
      </pre>
    </div>
  );
}
