import { Box, Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addressOf, call } from '../../api/client.ts';

/** Sign-in and registration with a provider; nothing where none is configured. */
export function ProviderButtons({ returnTo }: { readonly returnTo: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: ({ signal }) => call('get', '/api/auth/providers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Box mt="md">
      <Divider label="or" mb="md" />
      <Stack gap="xs">
        {data.data.map(({ id, name, url }) => (
          <Button key={id} component="a" href={addressOf(url, { query: { returnTo } })} variant="default">
            Sign in with {name}
          </Button>
        ))}
      </Stack>
    </Box>
  );
}
