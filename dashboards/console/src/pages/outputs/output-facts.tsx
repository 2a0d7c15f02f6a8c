import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRuleTitle } from '../../api/rules.ts';
import { useServerText } from '../../api/server-text.ts';
import { numberText } from '../../language/numbers.ts';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { AccountName } from './account-name.tsx';
import { DeliveryStateBadge, deliveriesQuery } from './delivery-state.tsx';
import { filterText } from './filter-text.ts';
import type { Deliveries, Output } from './output.ts';
import type { OutputField, OutputKind } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.facts;
/** The API counts waiting messages up to this number. */
const MAX_COUNTED = 10_000;

/** The definition of an output and the state of its deliveries. */
export function OutputFacts({ output, kind }: { readonly output: Output; readonly kind: OutputKind }) {
  const { id, settings, secrets, filter, createdAt, createdBy, updatedAt } = output;
  const titleOf = useRuleTitle();
  const deliveries = useQuery(deliveriesQuery(id));
  const labelOf = (name: string) => kind.secrets.find((field) => field.name === name)?.label ?? name;
  return (
    <>
      <Section title={TEXT.deliveries}>
        {deliveries.isPending && <Loader size="sm" aria-label={TEXT.loading} />}
        {deliveries.isError && <FailureNotice error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
        {deliveries.isSuccess && <DeliveryFacts of={deliveries.data} />}
      </Section>
      <Section title={TEXT.definition}>
        <Facts
          facts={[
            [TEXT.kind, kind.label],
            ...kind.settings
              .filter(({ name }) => settings[name] !== undefined)
              .map((field) => [field.label, settingText(settings[field.name], field)] as const),
            [TEXT.secrets, secrets.length === 0 ? TEXT.noSecrets : TEXT.secretsSet(secrets.map(labelOf))],
            [TEXT.filter, filterText(filter, titleOf)],
            [
              TEXT.created,
              <>
                <TimeText at={createdAt} /> {TEXT.by} <AccountName principal={createdBy} />
                {TEXT.changed} <TimeText at={updatedAt} />
              </>,
            ],
          ]}
        />
      </Section>
    </>
  );
}

function DeliveryFacts({ of }: { readonly of: Deliveries }) {
  const inLanguage = useServerText();
  const { lag, delivered, lastDeliveredAt, attempts, nextAttemptAt, lastError } = of;
  return (
    <Facts
      facts={[
        [TEXT.state, <DeliveryStateBadge key="state" of={of} />],
        [
          TEXT.waiting,
          lag.oldestAt === null ? (
            TEXT.nothingWaiting
          ) : (
            <>
              {lag.messages >= MAX_COUNTED ? TEXT.orMore(numberText(lag.messages)) : numberText(lag.messages)}
              {TEXT.oldest} <TimeText at={lag.oldestAt} />
            </>
          ),
        ],
        [
          TEXT.delivered,
          <>
            {numberText(delivered)}
            {lastDeliveredAt !== null && (
              <>
                {TEXT.last} <TimeText at={lastDeliveredAt} />
              </>
            )}
          </>,
        ],
        ...(attempts === 0
          ? []
          : [
              [
                TEXT.attempts,
                <>
                  {numberText(attempts)}
                  {nextAttemptAt !== null && (
                    <>
                      {TEXT.nextAttempt} <TimeText at={nextAttemptAt} />
                    </>
                  )}
                </>,
              ] as const,
            ]),
        ...(lastError === null
          ? []
          : [
              [
                TEXT.lastFailure,
                <Text key="failure" size="sm" component="span">
                  {inLanguage(lastError.message)} (<TimeText at={lastError.at} />)
                </Text>,
              ] as const,
            ]),
      ]}
    />
  );
}

function settingText(value: unknown, { input, choices }: OutputField): string {
  if (typeof value === 'boolean') return value ? TEXT.yes : TEXT.no;
  if (input === 'pem') return TEXT.pemSet;
  return choices?.find((choice) => choice.value === value)?.label ?? String(value);
}
