import { Center, Loader } from '@mantine/core';

export function PagePending() {
  return (
    <Center p="xl" role="status">
      <Loader aria-label="Loading the page" />
    </Center>
  );
}
