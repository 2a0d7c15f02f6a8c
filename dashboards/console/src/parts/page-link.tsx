import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** Restricts Mantine's anchor, which may be any element, to the type of a link. */
function PlainAnchor(props: AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>) {
  return <Anchor {...props} />;
}

/** A link to a page of the console. The types of the route check its parameters and filters. */
export const PageLink = createLink(PlainAnchor);
