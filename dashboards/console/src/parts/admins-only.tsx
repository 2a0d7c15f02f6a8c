import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { may } from '../api/session.ts';
import { useProfile } from '../app/use-profile.ts';
import { Page } from './page.tsx';

/** Draws a page for administrators, and tells everyone else why there is none. */
export function AdminsOnly({ children }: { readonly children: ReactNode }) {
  const profile = useProfile();
  if (may(profile, 'admin')) return children;
  return (
    <Page title="This is for administrators">
      <Text>Your role is {profile.role}. Ask an administrator of this Trapline for the role admin.</Text>
    </Page>
  );
}
