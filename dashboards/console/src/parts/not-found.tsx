import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from './page.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.notFound;

export function NotFound() {
  return (
    <Page title={TEXT.title}>
      <Text>
        {TEXT.hint}{' '}
        <Anchor component={Link} to="/">
          {TEXT.home}
        </Anchor>
      </Text>
    </Page>
  );
}
