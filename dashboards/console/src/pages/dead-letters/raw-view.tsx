import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { bytesOf, hexDump, visibleText } from './raw-bytes.ts';
import { DEAD_LETTERS_TEXT } from './text.ts';

const TEXT = DEAD_LETTERS_TEXT.payload;

/** Number of bytes shown by default. A record can have megabytes. */
const PREVIEW_BYTES = 16_384;

/** The payload, as text or as bytes. Its region can be focused, because it scrolls. */
export function RawView({ of }: { readonly of: { readonly raw: string; readonly rawEncoding: 'utf8' | 'base64' } }) {
  const [view, setView] = useState(of.rawEncoding === 'utf8' ? 'text' : 'hex');
  const [all, setAll] = useState(false);
  const bytes = useMemo(() => bytesOf(of), [of]);
  const shown = all ? bytes : bytes.subarray(0, PREVIEW_BYTES);
  return (
    <section aria-label={TEXT.title}>
      <Group justify="space-between" mb="xs">
        <SegmentedControl
          aria-label={TEXT.format}
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'text', label: TEXT.formats.text },
            { value: 'hex', label: TEXT.formats.hex },
          ]}
        />
        <Text size="sm" c="dimmed">
          {TEXT.size(bytes.length, of.rawEncoding === 'utf8')}
        </Text>
      </Group>
      <pre
        role="region"
        tabIndex={0}
        aria-label={view === 'hex' ? TEXT.hex : TEXT.text}
        className="tl-mono tl-copy-text"
        style={{ maxHeight: '28rem', overflow: 'auto', whiteSpace: view === 'hex' ? 'pre' : 'pre-wrap' }}
      >
        {bytes.length === 0 ? TEXT.empty : view === 'hex' ? hexDump(shown) : visibleText(shown)}
      </pre>
      {shown.length < bytes.length && (
        <Button size="compact" variant="default" mt="xs" onClick={() => setAll(true)}>
          {TEXT.showAll(PREVIEW_BYTES)}
        </Button>
      )}
    </section>
  );
}
