import { useDisclosure } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { APP_TEXT } from '../../../app/text.ts';
import { DetectorList } from '../../../pages/detectors/detector-list.tsx';
import { NewTokenDialog } from '../../../pages/detectors/new-token.tsx';
import { DETECTORS_TEXT } from '../../../pages/detectors/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';

export const Route = createFileRoute('/_signed-in/admin/detectors')({
  staticData: {
    section: { group: 'Administration', order: 4, label: APP_TEXT.sections.detectors, role: 'admin', keys: 'g n' },
  },
  component: DetectorsPage,
});

function DetectorsPage() {
  return (
    <AdminsOnly>
      <Detectors />
    </AdminsOnly>
  );
}

function Detectors() {
  const [making, { open, close }] = useDisclosure();
  useShortcuts([{ keys: 'n', does: DETECTORS_TEXT.create, run: open }]);
  return (
    <Page title={DETECTORS_TEXT.title} actions={<CreateButton onClick={open}>{DETECTORS_TEXT.create}</CreateButton>}>
      <DetectorList />
      <NewTokenDialog opened={making} onClose={close} />
    </Page>
  );
}
