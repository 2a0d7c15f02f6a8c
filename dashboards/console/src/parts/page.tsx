import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CONTROL_PX } from './tokens.ts';
import { visible } from './visible.ts';

/** A page: names itself in the window's title, and takes the focus when one comes to it, so that a screen reader reads where one is. */
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
    // A list that was gone back to has the focus on its row already.
    if (!page.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box ref={page}>
      {/* As high as its buttons, also while it has none: what follows stays in its place. */}
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
