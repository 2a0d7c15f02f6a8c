import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { counted } from '../../parts/counted.ts';
import { bytesOf, hexDump, visibleText } from './raw-bytes.ts';

/** More of it than that only on request: a record may have megabytes. */
const AT_FIRST = 16_384;

/** What came, as text or as bytes, in a region that the keyboard reaches because it scrolls. */
export function RawView({ of }: { readonly of: { readonly raw: string; readonly rawEncoding: 'utf8' | 'base64' } }) {
  const [view, setView] = useState(of.rawEncoding === 'utf8' ? 'text' : 'hex');
  const [all, setAll] = useState(false);
  const bytes = useMemo(() => bytesOf(of), [of]);
  const shown = all ? bytes : bytes.subarray(0, AT_FIRST);
  return (
    <section aria-label="What came">
      <Group justify="space-between" mb="xs">
        <SegmentedControl
          aria-label="Show it as"
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Bytes' },
          ]}
        />
        <Text size="sm" c="dimmed">
          {counted(bytes.length, 'byte')}
          {of.rawEncoding === 'base64' && ', no valid UTF-8'}
        </Text>
      </Group>
      <pre
        role="region"
        tabIndex={0}
        aria-label={view === 'hex' ? 'Raw bytes, hexadecimal' : 'Raw text'}
        className="tl-mono tl-copy-text"
        style={{ maxHeight: '28rem', overflow: 'auto', whiteSpace: view === 'hex' ? 'pre' : 'pre-wrap' }}
      >
        {bytes.length === 0 ? '(nothing)' : view === 'hex' ? hexDump(shown) : visibleText(shown)}
      </pre>
      {shown.length < bytes.length && (
        <Button size="compact-sm" variant="default" mt="xs" onClick={() => setAll(true)}>
          The first {AT_FIRST.toLocaleString()} bytes are shown: show all
        </Button>
      )}
    </section>
  );
}
