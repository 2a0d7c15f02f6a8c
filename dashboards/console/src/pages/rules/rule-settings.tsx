import { Button, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { isOvertaken } from '../../api/failure.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { Backtest } from './backtest.tsx';
import type { Rule } from './rule.ts';
import { SettingsConflict } from './settings-conflict.tsx';
import { changesOf, draftOf, mistakesOf, proposalOf, rebased } from './settings-draft.ts';
import { RULES_TEXT } from './text.ts';
import { ThresholdInput } from './threshold-input.tsx';

const TEXT = RULES_TEXT.settings;

/**
 * Settings of a rule, with a back-test before they are saved. Concurrent changes of two administrators do not overwrite
 * each other. Long: the markup of one form and the states of its save.
 */
export function RuleSettings({ rule }: { readonly rule: Rule }) {
  const queries = useQueryClient();
  /** The settings on which the draft is based. */
  const [base, setBase] = useState(rule);
  const [draft, setDraft] = useState(() => draftOf(rule));
  const changes = changesOf(base, draft);
  const mistakes = mistakesOf(base, draft);
  if (rule.etag !== base.etag && changes.length === 0) {
    setBase(rule);
    setDraft(draftOf(rule));
  }
  const proposal = proposalOf(base, draft);

  const saving = useMutation({
    mutationFn: () =>
      call('patch', '/api/rules/{id}', { path: { id: base.id }, headers: { 'if-match': base.etag }, body: proposal }),
    onSuccess: (saved) => {
      setBase(saved);
      setDraft(draftOf(saved));
      queries.setQueryData(['rules', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['rules'], exact: true });
      showDone(TEXT.saved(saved.name));
    },
  });
  const conflict = isOvertaken(saving.error);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (changes.length > 0 && mistakes.length === 0) saving.mutate();
  }
  function set(name: string, value: string | boolean) {
    setDraft({ ...draft, thresholds: { ...draft.thresholds, [name]: value } });
  }

  return (
    <Section title={TEXT.title}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <Switch
            label={TEXT.enabled}
            checked={draft.enabled}
            onChange={({ currentTarget }) => setDraft({ ...draft, enabled: currentTarget.checked })}
          />
          {/* Labels have one to three lines. Aligns the inputs of a row at the bottom. */}
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing="sm" style={{ alignItems: 'end' }}>
            {base.thresholds.map((threshold) => (
              <ThresholdInput
                key={threshold.name}
                threshold={threshold}
                value={draft.thresholds[threshold.name] ?? ''}
                changed={changes.includes(threshold.name)}
                mistaken={mistakes.includes(threshold.name)}
                onChange={(value) => set(threshold.name, value)}
              />
            ))}
          </SimpleGrid>
          {conflict ? (
            <SettingsConflict
              base={base}
              draft={draft}
              onTake={(now) => {
                setDraft(rebased(base, now, draft));
                setBase(now);
                queries.setQueryData(['rules', now.id], now);
                saving.reset();
              }}
            />
          ) : (
            saving.isError && <FailureNotice error={saving.error} />
          )}
          <Group gap="sm">
            <Button
              type="submit"
              loading={saving.isPending}
              disabled={changes.length === 0 || mistakes.length > 0 || conflict}
            >
              {TEXT.save}
            </Button>
            <Button
              variant="default"
              disabled={changes.length === 0}
              onClick={() => {
                setDraft(draftOf(base));
                saving.reset();
              }}
            >
              {TEXT.discard}
            </Button>
            <Text size="sm" c="dimmed">
              {changes.length === 0 ? TEXT.unchanged : TEXT.changes(changes)}
            </Text>
          </Group>
        </Stack>
      </form>
      <Backtest rule={base.id} proposal={proposal} disabled={mistakes.length > 0} />
    </Section>
  );
}
