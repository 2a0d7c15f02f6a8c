import { Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useProfile } from '../../app/use-profile.ts';
import { Page } from '../../parts/page.tsx';

const TEXT = { title: 'About', signedIn: (name: string) => `You are signed in to Trapline as ${name}.` };

export const Route = createFileRoute('/_signed-in/about')({
  staticData: { section: { group: 'Account', order: 3, label: TEXT.title, role: 'user', keys: 'g b' } },
  component: AboutPage,
});

function AboutPage() {
  const { username } = useProfile();
  return (
    <Page title={TEXT.title}>
      <Text>{TEXT.signedIn(username)}</Text>
    </Page>
  );
}
