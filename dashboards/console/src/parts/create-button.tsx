import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { Icon } from './icons.tsx';

/** The button of a page or section that adds something, with a common icon. */
export function CreateButton(props: ButtonProps & ComponentPropsWithoutRef<'button'>) {
  return <Button leftSection={<Icon name="create" />} {...props} />;
}
