import { Center, Loader } from '@mantine/core';
import { PARTS_TEXT } from './text.ts';

export function PagePending() {
  return (
    <Center p="xl" role="status">
      <Loader aria-label={PARTS_TEXT.loadingPage} />
    </Center>
  );
}
