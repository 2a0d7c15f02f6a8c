import { Alert, Anchor, Button, Code, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { may } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { commandsFor, KEY_PLACE } from '../../pages/first-steps/commands.ts';
import { statesOf } from '../../pages/first-steps/next-step.ts';
import { ReplayDemo } from '../../pages/first-steps/replay-demo.tsx';
import { SendTestEvent } from '../../pages/first-steps/send-test-event.tsx';
import { Step } from '../../pages/first-steps/step.tsx';
import { whatIsThere } from '../../pages/first-steps/what-is-there.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PageLink } from '../../parts/page-link.tsx';

export const Route = createFileRoute('/_signed-in/first-steps')({
  staticData: { section: { group: 'Account', order: 1, label: 'First steps', role: 'user', keys: 'g f' } },
  component: FirstStepsPage,
});

/** From an empty installation to one that detects: what is there, what is next, and the commands for it. */
function FirstStepsPage() {
  const profile = useProfile();
  const found = useQuery(whatIsThere(profile));
  const commands = commandsFor(location.origin);
  const states = found.data && statesOf(found.data);
  const analyst = may(profile, 'analyst');
  const finished = states !== undefined && Object.values(states).every((state) => state === 'done');

  const actions = (
    <Button size="compact-md" variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
      Look again
    </Button>
  );
  return (
    <Page title="First steps" actions={actions}>
      {found.isPending && <Loader size="sm" aria-label="Looking at what is there" />}
      {found.isError && <FailureNotice error={found.error} onRetry={() => void found.refetch()} />}
      {!analyst && (
        <Alert variant="outline" color="indigo" title="Your role is user" mb="sm">
          <Text size="sm">
            You can run workflows and agents, and call scrapers. Sending events and reading detections needs the role
            analyst: ask an administrator.
          </Text>
        </Alert>
      )}
      {found.data !== undefined && states !== undefined && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {finished ? 'All is set up. ' : 'The steps, in their order; look again after each. '}
            Commands run in a checkout of Trapline; those that send something read the key from the environment.
          </Text>
          <ol className="tl-plain-list">
            <Step title="Make a key" state={states.key}>
              Detectors and the command line show a key.{' '}
              <PageLink to="/keys" underline="always" inherit>
                {found.data.keys === 0 ? 'Make your first key' : 'See your keys, or make one'}
              </PageLink>
              , then put it in place of <Code>{KEY_PLACE}</Code>:
              <CopyText text={commands.key} label="Environment of the commands" />
            </Step>
            <Step title="Send a test event" state={states.event}>
              One crash that means no harm, to see that events land. Send it from here, or as a detector does:
              {analyst ? (
                <>
                  <SendTestEvent />
                  <CopyText text={commands.event} label="Test event by curl" />
                  <Anchor component={Link} to="/events" underline="always" inherit>
                    See the events
                  </Anchor>
                </>
              ) : (
                <Text size="sm">Needs the role analyst and a key with the scope events:write.</Text>
              )}
            </Step>
            <Step title="Connect a detector" state={states.detector}>
              On each machine that is to be watched. It follows the kernel log, and sets the kernel up to log crashes:
              <CopyText text={commands.detector} label="Detector on this machine" />
              From a log file instead:
              <CopyText text={commands.fromFile} label="Detector from a file" />
              {profile.role === 'admin' && (
                <>
                  No attack at hand? Trapline brings the capture of a real one:
                  <ReplayDemo />
                </>
              )}
              {analyst && (
                <Anchor component={Link} to="/detections" underline="always" inherit>
                  See the detections
                </Anchor>
              )}
            </Step>
            <Step title="Push an example workflow" state={states.workflow}>
              Workflows act on what is detected: they enrich, isolate, report.
              <CopyText text={commands.workflow} label="Push the example workflows" />
              <Anchor component={Link} to="/workflows" underline="always" inherit>
                See the workflows
              </Anchor>
            </Step>
          </ol>
        </>
      )}
    </Page>
  );
}
