import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { useServerText } from '../../api/server-text.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import { durationText } from './duration-text.ts';
import type { Rule } from './rule.ts';
import { isNumeric } from './settings-draft.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.settings;
/** The severity setting, which all built-in rules have. With its value `auto`, the rule determines the severity. */
const SEVERITY = 'severity';
const BY_EVIDENCE = 'auto';

/** One setting of a rule: a choice of severities, a switch, a number or a text. */
export function ThresholdInput({
  threshold: { name, default: shipped, description: english },
  value,
  changed,
  mistaken,
  onChange,
}: {
  readonly threshold: Rule['thresholds'][number];
  readonly value: string | boolean;
  readonly changed: boolean;
  /** True if the value must be a number and is not. */
  readonly mistaken: boolean;
  readonly onChange: (value: string | boolean) => void;
}) {
  const description = useServerText()(english);
  if (typeof value === 'boolean')
    return (
      <Switch
        label={description}
        description={name}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  const common = {
    label: changed ? TEXT.changed(description) : description,
    description: TEXT.hint(name, inWords(value, english)),
    inputWrapperOrder: ['label' as const, 'input' as const, 'error' as const, 'description' as const],
    value,
  };
  if (name === SEVERITY)
    return (
      <NativeSelect
        {...common}
        label={changed ? TEXT.changed(TEXT.severity) : TEXT.severity}
        data={[
          { value: BY_EVIDENCE, label: TEXT.severityByEvidence },
          ...SEVERITIES.map((severity) => ({ value: severity, label: PARTS_TEXT.severities[severity] })),
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      inputMode={isNumeric({ default: shipped }) ? 'decimal' : 'text'}
      autoComplete="off"
      placeholder={String(shipped)}
      error={mistaken && TEXT.notANumber}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Returns a threshold in seconds as a duration. */
function inWords(value: string, description: string): string | undefined {
  return description.endsWith('(seconds)') ? durationText(Number(value)) : undefined;
}
