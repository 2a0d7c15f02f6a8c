import type { Translation } from '../../language/catalogue.ts';
import type { RULE_NAMES_TEXT } from './rule-names-text.ts';

export const RULE_NAMES_GERMAN: Translation<typeof RULE_NAMES_TEXT> = {
  'detector-tampering': 'Manipulation des Detektors',
  'fleet-scan': 'Über Hosts verteilter Scan',
  'host-risk': 'Host-Risiko',
  'instruction-pointer-probe': 'Abtasten des Befehlszeigers',
  'kernel-fault': 'Fehler des Kernels',
  'memory-search': 'Absuchen des Speichers',
  'register-value-probe': 'Abtasten von Registerwerten',
  'sensitive-program-crash': 'Absturz eines sensiblen Programms',
  'stack-canary-probe': 'Abtasten des Stack-Canarys',
  'suppressed-crash-burst': 'Häufung unterdrückter Absturzmeldungen',
  'unmapped-jump': 'Sprünge in nicht gemappten Speicher',
};
