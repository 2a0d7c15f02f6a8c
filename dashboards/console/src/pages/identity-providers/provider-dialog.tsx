import { Alert, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import type { IdentityProvider } from './provider.ts';
import { IDENTITY_PROVIDERS_TEXT } from './text.ts';

const TEXT = IDENTITY_PROVIDERS_TEXT;

/** Configuration of an identity provider, the URLs to enter at the provider, and a connection test. */
export function ProviderDialog({
  provider,
  onClose,
}: {
  readonly provider: IdentityProvider;
  readonly onClose: () => void;
}) {
  const { id, name, callbackUrl, metadataUrl, logoutUrl, certificates, roles, teams } = provider;
  const callback = provider.protocol === 'saml' ? TEXT.facts.consumer : TEXT.facts.callback;
  return (
    <DetailsDialog title={TEXT.titleOf(visible(name))} onClose={onClose}>
      <Facts
        facts={[
          [TEXT.columns.protocol, TEXT.protocols[provider.protocol]],
          [TEXT.facts.id, id],
          [TEXT.columns.issuer, provider.issuer],
          [callback, <CopyText key="callback" text={callbackUrl} label={callback} />],
          ...(metadataUrl === null
            ? []
            : [
                [
                  TEXT.facts.metadata,
                  <CopyText key="metadata" text={metadataUrl} label={TEXT.facts.metadata} />,
                ] as const,
              ]),
          ...(logoutUrl === null
            ? []
            : [[TEXT.facts.logout, <CopyText key="logout" text={logoutUrl} label={TEXT.facts.logout} />] as const]),
          [TEXT.columns.domains, provider.allowedDomains?.join(', ') ?? TEXT.anyDomain],
          [TEXT.columns.signUp, TEXT.signUp[provider.signUp]],
          [TEXT.facts.linking, TEXT.linking[provider.linking]],
          ...(roles.length === 0
            ? []
            : [[TEXT.facts.roles, roles.map(({ value, role }) => TEXT.roleOf(value, role)).join(', ')] as const]),
          ...(teams.length === 0
            ? []
            : [[TEXT.facts.teams, teams.map(({ value, team }) => TEXT.roleOf(value, team)).join(', ')] as const]),
          ...certificates.map(
            (certificate) =>
              [TEXT.facts.certificate, <Certificate key={certificate.subject} {...certificate} />] as const,
          ),
        ]}
      />
      <ConnectionTest id={id} />
    </DetailsDialog>
  );
}

function Certificate({ subject, endsAt }: IdentityProvider['certificates'][number]) {
  const ended = Date.parse(endsAt) <= Date.now();
  return (
    <>
      <Text size="sm">{visible(subject)}</Text>
      <Text size="sm" c="dimmed" component="div">
        {TEXT.endsAt} <TimeText at={endsAt} /> {ended && <StatusBadge text={TEXT.ended} tone="bad" />}
      </Text>
    </>
  );
}

function ConnectionTest({ id }: { readonly id: string }) {
  const testing = useMutation({
    mutationFn: () => call('post', '/api/admin/identity-providers/{provider}/test', { path: { provider: id } }),
  });
  return (
    <>
      <Button variant="default" mb="md" loading={testing.isPending} onClick={() => testing.mutate()}>
        {TEXT.test.action}
      </Button>
      {testing.isError && <FailureNotice error={testing.error} />}
      {testing.isSuccess && (
        <Alert
          mb="md"
          variant="outline"
          color={testing.data.ok ? 'indigo' : 'red'}
          role="status"
          title={testing.data.ok ? TEXT.test.ok : TEXT.test.failed}
        >
          {testing.data.problem === null ? null : visible(testing.data.problem)}
        </Alert>
      )}
    </>
  );
}
