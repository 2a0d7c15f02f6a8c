import { Group, NativeSelect, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { APP_TEXT } from '../../app/text.ts';
import { AddressesPanel } from '../../pages/dashboard/addresses-panel.tsx';
import { ExecutionsPanel } from '../../pages/dashboard/executions-panel.tsx';
import { LiveFeed } from '../../pages/dashboard/live-feed.tsx';
import { MainFigures } from '../../pages/dashboard/main-figures.tsx';
import { PanelFrame } from '../../pages/dashboard/panel-frame.tsx';
import { PipelinePanel } from '../../pages/dashboard/pipeline-panel.tsx';
import { QueuePanel } from '../../pages/dashboard/queue-panel.tsx';
import { RequestsPanel } from '../../pages/dashboard/requests-panel.tsx';
import { type DashboardSearch, RANGES, VIEWS } from '../../pages/dashboard/search.ts';
import { SystemPanel } from '../../pages/dashboard/system-panel.tsx';
import { DASHBOARD_TEXT } from '../../pages/dashboard/text.ts';
import { useDashboard } from '../../pages/dashboard/use-dashboard.ts';
import { AdminsOnly } from '../../parts/admins-only.tsx';
import { Page } from '../../parts/page.tsx';
import { choiceParam, onlyRead } from '../../parts/search-params.ts';
import { TabIcon } from '../../parts/tab-icons.tsx';

export const Route = createFileRoute('/_signed-in/dashboard')({
  staticData: {
    section: { group: 'Administration', order: 1, label: APP_TEXT.sections.system, role: 'admin', keys: 'g s' },
  },
  validateSearch: onlyRead((search: Record<string, unknown>): DashboardSearch => {
    const view = choiceParam(search.view, VIEWS);
    const range = choiceParam(search.range, RANGES);
    return { ...(view === undefined ? {} : { view }), ...(range === undefined ? {} : { range }) };
  }),
  component: DashboardPage,
});

const { panels: PANELS, tabs: TABS } = DASHBOARD_TEXT;

function DashboardPage() {
  return (
    <AdminsOnly>
      <Dashboard />
    </AdminsOnly>
  );
}

function Dashboard() {
  const { view = 'overview', range = '24h' } = Route.useSearch();
  const navigate = useNavigate();
  const show = (search: DashboardSearch) => void navigate({ to: '/dashboard', search });
  return (
    <Page title={DASHBOARD_TEXT.title}>
      <Tabs
        value={view}
        onChange={(chosen) => show(chosen === 'live' ? { view: 'live', range } : { range })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="overview" leftSection={<TabIcon id="overview" />}>
            {TABS.overview}
          </Tabs.Tab>
          <Tabs.Tab value="live" leftSection={<TabIcon id="live" />}>
            {TABS.live}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Group mb="sm">
            <NativeSelect
              label={DASHBOARD_TEXT.timeRange}
              value={range}
              data={RANGES.map((value) => ({ value, label: DASHBOARD_TEXT.timeRanges[value] }))}
              onChange={({ currentTarget }) => show({ range: currentTarget.value as (typeof RANGES)[number] })}
            />
          </Group>
          <MainFigures range={range} />
          <Overview range={range} />
        </Tabs.Panel>
        <Tabs.Panel value="live">
          <LiveFeed />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Overview({ range }: { readonly range: (typeof RANGES)[number] }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Stack gap="md" miw={0}>
        <PanelFrame title={PANELS.pipeline} query={useDashboard('pipeline', range)}>
          {(found) => <PipelinePanel found={found} />}
        </PanelFrame>
        <PanelFrame title={PANELS.queue} query={useDashboard('queue', range)}>
          {(found) => <QueuePanel found={found} />}
        </PanelFrame>
        <PanelFrame title={PANELS.addresses} query={useDashboard('ips', range)}>
          {(found) => <AddressesPanel found={found} />}
        </PanelFrame>
        <PanelFrame title={PANELS.system} query={useDashboard('system', range)}>
          {(found) => <SystemPanel found={found} />}
        </PanelFrame>
      </Stack>
      <Stack gap="md" miw={0}>
        <PanelFrame title={PANELS.requests} query={useDashboard('requests', range)}>
          {(found) => <RequestsPanel found={found} />}
        </PanelFrame>
        <PanelFrame title={PANELS.executions} query={useDashboard('executions', range)}>
          {(found) => <ExecutionsPanel found={found} />}
        </PanelFrame>
      </Stack>
    </SimpleGrid>
  );
}
