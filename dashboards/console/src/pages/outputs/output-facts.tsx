import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { DeliveryStateBadge, deliveriesQuery } from './delivery-state.tsx';
import { filterText } from './filter-text.ts';
import type { Deliveries, Output } from './output.ts';
import { OUTPUT_FIELDS } from './output-fields.ts';

const MAX_COUNTED = 10_000;

/** What it is, and how its deliveries go. */
export function OutputFacts({ output }: { readonly output: Output }) {
  const { id, type, settings, secrets, filter, createdAt, createdBy, updatedAt } = output;
  const fields = OUTPUT_FIELDS[type];
  const deliveries = useQuery(deliveriesQuery(id));
  const labelOf = (name: string) => fields.secrets.find((field) => field.name === name)?.label ?? name;
  return (
    <>
      <Section title="Deliveries">
        {deliveries.isPending && <Loader size="sm" aria-label="Loading how deliveries go" />}
        {deliveries.isError && <FailureNotice error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
        {deliveries.isSuccess && <DeliveryFacts of={deliveries.data} />}
      </Section>
      <Section title="Definition">
        <Facts
          facts={[
            ['Kind', fields.label],
            ...fields.settings
              .filter(({ name }) => settings[name] !== undefined)
              .map(({ name, label, kind }) => [label, settingText(settings[name], kind)] as const),
            ['Secrets', secrets.length === 0 ? 'none' : `${secrets.map(labelOf).join(', ')}: set`],
            ['Told of', filterText(filter)],
            [
              'Made',
              <>
                <TimeText at={createdAt} /> by {createdBy}, changed <TimeText at={updatedAt} />
              </>,
            ],
          ]}
        />
      </Section>
    </>
  );
}

function DeliveryFacts({ of }: { readonly of: Deliveries }) {
  const { lag, delivered, lastDeliveredAt, attempts, nextAttemptAt, lastError } = of;
  return (
    <Facts
      facts={[
        ['State', <DeliveryStateBadge key="state" of={of} />],
        [
          'Waiting',
          lag.oldestAt === null ? (
            'nothing'
          ) : (
            <>
              {lag.messages.toLocaleString()}
              {lag.messages >= MAX_COUNTED && ' or more'}, the first since <TimeText at={lag.oldestAt} />
            </>
          ),
        ],
        [
          'Delivered',
          <>
            {delivered.toLocaleString()}
            {lastDeliveredAt !== null && (
              <>
                , last <TimeText at={lastDeliveredAt} />
              </>
            )}
          </>,
        ],
        ...(attempts === 0
          ? []
          : [
              [
                'Failed tries',
                <>
                  {attempts.toLocaleString()} to send what is next
                  {nextAttemptAt !== null && (
                    <>
                      ; tried again <TimeText at={nextAttemptAt} />
                    </>
                  )}
                </>,
              ] as const,
            ]),
        ...(lastError === null
          ? []
          : [
              [
                'Last failure',
                <Text key="failure" size="sm" component="span">
                  {lastError.message} (<TimeText at={lastError.at} />)
                </Text>,
              ] as const,
            ]),
      ]}
    />
  );
}

function settingText(value: unknown, kind: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return kind === 'pem' ? 'given' : String(value);
}
