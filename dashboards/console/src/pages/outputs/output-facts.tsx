import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRuleTitle } from '../../api/rules.ts';
import { useServerText } from '../../api/server-text.ts';
import { numberText } from '../../language/numbers.ts';
import { actorName } from '../../parts/actor-name.ts';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { addressOf, namedPage } from '../../parts/values/value-page.ts';
import { DeliveryStateBadge, deliveriesQuery } from './delivery-state.tsx';
import { filterText } from './filter-text.ts';
import type { Deliveries, Output } from './output.ts';
import type { OutputField, OutputKind } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.facts;
/** Maximum count of waiting messages in the API. */
const MAX_COUNTED = 10_000;

/** The definition of an output, and the state of its deliveries. */
export function OutputFacts({ output, kind }: { readonly output: Output; readonly kind: OutputKind }) {
  const { id, settings, secrets, filter, createdAt, createdBy, createdByName, updatedAt } = output;
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
                <TimeText at={createdAt} /> {TEXT.by} <Creator actor={createdBy} name={createdByName} />
                {updatedAt !== createdAt && (
                  <>
                    {TEXT.changed} <TimeText at={updatedAt} />
                  </>
                )}
              </>,
            ],
          ]}
        />
      </Section>
    </>
  );
}

/** The name of the creator, linked to the user's page. */
function Creator({ actor, name }: { readonly actor: string; readonly name: string | null }) {
  const page = name === null ? undefined : namedPage(actor);
  const text = actorName(actor, name);
  return page === undefined ? (
    text
  ) : (
    <PageLink {...addressOf(page)} inherit>
      {text}
    </PageLink>
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
