import { Box, Button, Divider, Stack } from '@mantine/core';
import { addressOf } from '../../api/client.ts';
import { SIGN_IN_TEXT } from './text.ts';
import { useWaysIn } from './ways-in.ts';

/** Buttons for sign-in and registration with an identity provider. Empty if none is configured. */
export function ProviderButtons({ returnTo }: { readonly returnTo: string | undefined }) {
  const data = useWaysIn();
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Box mt="md">
      <Divider label={SIGN_IN_TEXT.signIn.or} mb="md" />
      <Stack gap="xs">
        {data.data.map(({ id, name, url }) => (
          <Button key={id} component="a" href={addressOf(url, { query: { returnTo } })} variant="default">
            {SIGN_IN_TEXT.signIn.provider(name)}
          </Button>
        ))}
      </Stack>
    </Box>
  );
}
