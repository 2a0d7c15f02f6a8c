import { expect, test } from 'vitest';
import { type Episode, openEpisode } from '#analytics/detections/episode.ts';
import { MANY_FAULTS } from '#analytics/detections/evidence/aborts.ts';
import { NEW_LAYOUTS, REVISITED, WITH_OTHERS } from '#analytics/detections/evidence/instruction-pointer.ts';
import { FAULT_KINDS } from '#analytics/detections/evidence/kernel-fault-kinds.ts';
import { AFTER_CRASHES } from '#analytics/detections/evidence/kernel-faults.ts';
import { NUMBERS } from '#analytics/detections/evidence/register-values.ts';
import { APART } from '#analytics/detections/evidence/search-pattern.ts';
import { MISSED_PROGRAM, RETURNING } from '#analytics/detections/evidence/unmapped-jumps.ts';
import { describeEpisode } from '#analytics/detections/message.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { germanMessage } from '#dashboards/console/src/pages/detection/message.de.ts';
import { RULE_NAMES_TEXT } from '#dashboards/console/src/parts/rules/rule-names-text.ts';

const FIRST = { seconds: 1_772_323_200, nanos: 0 };

type Variant = Partial<Episode> & { readonly rule: string };

/** One case for each form that the message of a rule can have. */
const VARIANTS: readonly Variant[] = [
  { rule: 'detector-tampering', detail: ['kernel.print-fatal-signals', '1', '0'] },
  { rule: 'fleet-scan', hostname: null, file: 'httpd', detail: ['steps', '20', 'ab12', 'web-0', 'web-1', 'web-2'] },
  { rule: 'fleet-scan', hostname: null, detail: ['scattered', '2', '', 'web-0', 'web-1'], suppressed: 0 },
  { rule: 'host-risk', detail: ['70', 'unmapped-jump of nginx', 'suppressed-crash-burst '] },
  ...['steps', 'scattered', 'pages', 'jumps'].map((move) => ({
    rule: 'instruction-pointer-probe',
    detail: ['', move],
  })),
  { rule: 'instruction-pointer-probe', detail: ['', 'scattered', NEW_LAYOUTS] },
  { rule: 'instruction-pointer-probe', detail: ['', 'scattered', '', REVISITED] },
  { rule: 'instruction-pointer-probe', detail: ['', 'scattered', NEW_LAYOUTS, '', WITH_OTHERS] },
  ...FAULT_KINDS.map((kind) => ({ rule: 'kernel-fault', detail: [kind, 'low', '', 'Oops: 0002 [#1] SMP "x"'] })),
  { rule: 'kernel-fault', detail: ['fault', 'low', AFTER_CRASHES, 'general protection fault'] },
  { rule: 'memory-search', detail: ['jumps', '0'] },
  { rule: 'memory-search', detail: ['1:64', '0'] },
  { rule: 'memory-search', detail: ['1:64', '0', APART] },
  { rule: 'register-value-probe', register: 'RDI' },
  { rule: 'register-value-probe', register: 'RDI', detail: [NUMBERS] },
  { rule: 'sensitive-program-crash', crashes: 1, suppressed: 0 },
  ...[
    ['fast'],
    ['traps'],
    ['returns'],
    ['slow'],
    ['timer'],
    ['random'],
    ['random', '', MANY_FAULTS],
    ['unidentified'],
    ['slow', 'witnessed'],
    ['slow', 'asserted'],
  ].map((detail) => ({
    rule: 'stack-canary-probe',
    detail,
  })),
  { rule: 'suppressed-crash-burst' },
  { rule: 'unmapped-jump', detail: ['constant'] },
  { rule: 'unmapped-jump', detail: [MISSED_PROGRAM] },
  { rule: 'unmapped-jump', detail: ['other'] },
  { rule: 'unmapped-jump', detail: ['other', RETURNING] },
];

function messageOf({ rule, ...fields }: Variant, procname: string | null = 'nginx'): string {
  const origin = { rule, hostname: 'web-1', program: 'nginx', register: 'ip', place: '', first: FIRST, value: '0x1' };
  const episode = openEpisode(origin, { procname, file: null }, 1);
  return describeEpisode({ ...episode, crashes: 20, suppressed: 5, ...fields });
}

test('every message of every translated rule has a German text', () => {
  const translated = RULES.map(({ id }) => id).filter((id) => id in RULE_NAMES_TEXT);
  expect(new Set(VARIANTS.map(({ rule }) => rule))).toEqual(new Set(translated));
  const left = VARIANTS.flatMap((variant) =>
    [messageOf(variant), messageOf(variant, null)].filter(
      (message) =>
        germanMessage(variant.rule, message) === message || /undefined|NaN/.test(germanMessage(variant.rule, message)),
    ),
  );
  expect(left).toEqual([]);
});

test('the German message contains the names and numbers of the English one', () => {
  const german = germanMessage(
    'stack-canary-probe',
    messageOf({ rule: 'stack-canary-probe', detail: ['fast', 'witnessed'] }),
  );
  expect(german).toBe(
    'nginx auf web-1 wurde per Fork gestartet und brach in schneller Folge immer wieder ab (20 Abstürze, dazu mindestens 5, die der Kernel nicht protokolliert hat): ein Versuch, den Canary, der den Stack schützt, Byte für Byte zu erraten. Die C-Bibliothek meldete einen veränderten Canary.',
  );
  expect(
    germanMessage(
      'fleet-scan',
      'httpd crashes on 20 hosts (a, b, c and 17 more) at 40 places of httpd (build 0a) in 41 crashes, a few bytes apart: an attempt to find places to jump to, spread over hosts of one binary.',
    ),
  ).toBe(
    'httpd stürzt auf 20 Hosts ab (a, b, c und 17 weitere): 41 Abstürze an 40 Stellen von httpd (Build 0a), mit wenigen Byte Abstand. Das ist ein Versuch, Sprungziele zu finden, verteilt über Hosts mit derselben Programmdatei.',
  );
});

test('leaves messages of user rules and unknown messages unchanged', () => {
  expect(germanMessage('my-rule', 'nginx on web-1 crashed (1 crash)')).toBe('nginx on web-1 crashed (1 crash)');
  expect(germanMessage('unmapped-jump', 'It jumps.')).toBe('It jumps.');
});
