import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CONTROL_PX } from './tokens.ts';
import { visible } from './visible.ts';

/**
 * A page. Sets the window title and focuses its heading after navigation, so that a screen reader announces the page.
 */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const shown = visible(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown} – Trapline`;
  }, [shown]);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A restored list already has the focus on its row.
    if (!page.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box ref={page}>
      {/* Always as high as its buttons, even without any, so that the content below does not move. */}
      <Group justify="space-between" mb="sm" gap="sm" mih={CONTROL_PX.regular}>
        <Title order={1} size="h3" ref={heading} tabIndex={-1} className="tl-page-title">
          {shown}
        </Title>
        {actions && (
          <Group gap="xs" className="tl-page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Box>
  );
}
