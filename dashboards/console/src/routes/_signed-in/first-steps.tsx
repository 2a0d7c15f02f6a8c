import { Alert, Anchor, Button, Code, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { may } from '../../api/session.ts';
import { APP_TEXT } from '../../app/text.ts';
import { useProfile } from '../../app/use-profile.ts';
import { commandsFor, KEY_PLACE } from '../../pages/first-steps/commands.ts';
import { statesOf } from '../../pages/first-steps/next-step.ts';
import { ReplayDemo } from '../../pages/first-steps/replay-demo.tsx';
import { SendTestEvent } from '../../pages/first-steps/send-test-event.tsx';
import { Step } from '../../pages/first-steps/step.tsx';
import { FIRST_STEPS_TEXT } from '../../pages/first-steps/text.ts';
import { whatIsThere } from '../../pages/first-steps/what-is-there.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Page } from '../../parts/page.tsx';
import { PageLink } from '../../parts/page-link.tsx';

const TEXT = FIRST_STEPS_TEXT;

export const Route = createFileRoute('/_signed-in/first-steps')({
  staticData: {
    section: { group: 'Account', order: 1, label: APP_TEXT.sections.firstSteps, role: 'user', keys: 'g f' },
  },
  component: FirstStepsPage,
});

/** Set-up of an installation: the state of each step, and its commands. */
function FirstStepsPage() {
  const profile = useProfile();
  const found = useQuery(whatIsThere(profile));
  const commands = commandsFor(location.origin);
  const states = found.data && statesOf(found.data);
  const analyst = may(profile, 'analyst');
  const finished = states !== undefined && Object.values(states).every((state) => state === 'done');

  const actions = (
    <Button
      leftSection={<Icon name="refresh" />}
      variant="default"
      loading={found.isFetching}
      onClick={() => void found.refetch()}
    >
      {TEXT.refresh}
    </Button>
  );
  return (
    <Page title={TEXT.title} actions={actions}>
      {found.isPending && <Loader size="sm" aria-label={TEXT.loading} />}
      {found.isError && <FailureNotice error={found.error} onRetry={() => void found.refetch()} />}
      {!analyst && (
        <Alert variant="outline" color="indigo" title={TEXT.role.title} mb="sm">
          <Text size="sm">{TEXT.role.hint}</Text>
        </Alert>
      )}
      {found.data !== undefined && states !== undefined && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {finished ? `${TEXT.finished} ` : `${TEXT.unfinished} `}
            {TEXT.hint}
          </Text>
          <ol className="tl-plain-list">
            <Step title={TEXT.key.title} state={states.key}>
              {TEXT.key.hint}{' '}
              <PageLink to="/keys" underline="always" inherit>
                {found.data.keys === 0 ? TEXT.key.createFirst : TEXT.key.show}
              </PageLink>
              {TEXT.key.replace} <Code>{KEY_PLACE}</Code>
              <CopyText text={commands.key} label={TEXT.key.command} />
            </Step>
            <Step title={TEXT.event.title} state={states.event}>
              {TEXT.event.hint}
              {analyst ? (
                <>
                  <SendTestEvent />
                  <CopyText text={commands.event} label={TEXT.event.command} />
                  <Anchor component={Link} to="/events" underline="always" inherit>
                    {TEXT.event.show}
                  </Anchor>
                </>
              ) : (
                <Text size="sm">{TEXT.event.needed}</Text>
              )}
            </Step>
            <Step title={TEXT.detector.title} state={states.detector}>
              {TEXT.detector.hint}
              <CopyText text={commands.detector} label={TEXT.detector.command} />
              {TEXT.detector.fromFile}
              <CopyText text={commands.fromFile} label={TEXT.detector.fileCommand} />
              {profile.role === 'admin' && (
                <>
                  {TEXT.detector.demo}
                  <ReplayDemo />
                </>
              )}
              {analyst && (
                <Anchor component={Link} to="/detections" underline="always" inherit>
                  {TEXT.detector.show}
                </Anchor>
              )}
            </Step>
            <Step title={TEXT.workflow.title} state={states.workflow}>
              {TEXT.workflow.hint}
              <CopyText text={commands.workflow} label={TEXT.workflow.command} />
              <Anchor component={Link} to="/workflows" underline="always" inherit>
                {TEXT.workflow.show}
              </Anchor>
            </Step>
          </ol>
        </>
      )}
    </Page>
  );
}
