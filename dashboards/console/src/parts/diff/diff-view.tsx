import { Text } from '@mantine/core';
import { PARTS_TEXT } from '../text.ts';
import type { DiffLine } from './line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+', place: ' ' } as const;
const COLOURS = { same: undefined, removed: 'high', added: 'low', place: 'info' } as const;

/** Lines of a diff. Each has a sign, because colour alone is not accessible. */
export function DiffView({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  if (!lines.some(({ kind }) => kind !== 'same')) return <Text c="dimmed">{PARTS_TEXT.diff.same}</Text>;
  // Lines are identified by their position.
  const numbered = lines.map((line, at) => ({ ...line, key: `${at}` }));
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      className="tl-mono"
      style={{ overflow: 'auto', maxHeight: '36rem', margin: 0 }}
    >
      <div style={{ display: 'inline-block', minWidth: '100%' }}>
        {numbered.map(({ kind, text, key }) => {
          const tone = COLOURS[kind];
          const colours =
            tone === undefined ? {} : { background: `var(--tl-${tone})`, color: `var(--tl-${tone}-text)` };
          return (
            <div key={key} style={{ padding: '0 0.5rem', ...colours }}>
              {SIGNS[kind]} {text}
            </div>
          );
        })}
      </div>
    </pre>
  );
}
