import { Button, Group, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { isOvertaken } from '../../api/failure.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { Backtest } from './backtest.tsx';
import { durationText } from './duration-text.ts';
import type { Rule } from './rule.ts';
import { SettingsConflict } from './settings-conflict.tsx';
import { changesOf, draftOf, isNumeric, mistakesOf, proposalOf, rebased } from './settings-draft.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.settings;

/**
 * Settings of a rule, with a back-test before they are saved. Concurrent changes of two administrators do not overwrite each other.
 * Long: the markup of one form, and the states of its save.
 */
export function RuleSettings({ rule }: { readonly rule: Rule }) {
  const queries = useQueryClient();
  /** The settings that the draft is based on. */
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
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing="sm">
            {base.thresholds.map(({ name, default: shipped, description }) => {
              const numeric = isNumeric({ default: shipped });
              const value = draft.thresholds[name] ?? '';
              return typeof value === 'boolean' ? (
                <Switch
                  key={name}
                  label={description}
                  description={name}
                  checked={value}
                  onChange={({ currentTarget }) => set(name, currentTarget.checked)}
                />
              ) : (
                <TextInput
                  key={name}
                  label={changes.includes(name) ? TEXT.changed(description) : description}
                  description={TEXT.hint(name, inWords(value, description))}
                  inputWrapperOrder={['label', 'input', 'error', 'description']}
                  inputMode={numeric ? 'decimal' : 'text'}
                  autoComplete="off"
                  placeholder={String(shipped)}
                  value={value}
                  error={mistakes.includes(name) && TEXT.notANumber}
                  onChange={({ currentTarget }) => set(name, currentTarget.value)}
                />
              );
            })}
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

/** A threshold in seconds as a duration, which is easier to read. */
function inWords(value: string, description: string): string | undefined {
  return description.endsWith('(seconds)') ? durationText(Number(value)) : undefined;
}
