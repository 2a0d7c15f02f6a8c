import { Code } from '@mantine/core';
import type { ReactNode } from 'react';

/** Returns text with code for parts between backticks. */
export function withCode(text: string): ReactNode[] {
  const parts = text.split('`');
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // Long lines wrap, because a scrolling line would need keyboard focus.
      <Code key={parts.slice(0, index).join()} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {part}
      </Code>
    ) : (
      part
    ),
  );
}
