import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** Mantine's anchor may be any element; of this one the types say that it is a link. */
function PlainAnchor(props: AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>) {
  return <Anchor {...props} />;
}

/** A link to a page of the console, its parameters and filters checked by the types of the route. */
export const PageLink = createLink(PlainAnchor);
