import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Text>
        The address may be mistyped, or what it named is gone.{' '}
        <Anchor component={Link} to="/">
          Go to the start
        </Anchor>
        .
      </Text>
    </Page>
  );
}
