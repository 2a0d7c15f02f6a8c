import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { indentJson } from './indent-json.ts';
import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.copy;

/**
 * A value as JSON in a focusable region, with a copy button. Strings are indented without being parsed, because parsing
 * would lose digits. Invisible characters are shown as signs, and the copied text is unchanged. In a section of the
 * same name, its role is `group`, because names of regions must be unique on a page.
 */
export function JsonText({
  value,
  label,
  role = 'region',
}: {
  readonly value: unknown;
  readonly label: string;
  readonly role?: 'region' | 'group';
}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const { copy, copied } = useClipboard();
  return (
    <div className="tl-json">
      <Button className="tl-json-copy" size="compact" variant="default" onClick={() => copy(text)}>
        {copied ? TEXT.done : TEXT.value(label)}
      </Button>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names. */}
      <pre role={role} className="tl-mono" tabIndex={0} aria-label={label}>
        {visible(indentJson(text))}
      </pre>
    </div>
  );
}
