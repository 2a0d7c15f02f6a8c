import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { may } from '../api/session.ts';
import { useProfile } from '../app/use-profile.ts';
import { Page } from './page.tsx';
import { PARTS_TEXT } from './text.ts';

/** Shows a page to administrators. Shows the required role to other users. */
export function AdminsOnly({ children }: { readonly children: ReactNode }) {
  const profile = useProfile();
  if (may(profile, 'admin')) return children;
  return (
    <Page title={PARTS_TEXT.adminsOnly.title}>
      <Text>{PARTS_TEXT.adminsOnly.hint(PARTS_TEXT.roles[profile.role])}</Text>
    </Page>
  );
}
