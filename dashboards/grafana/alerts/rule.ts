/** `page` needs an immediate reaction, `ticket` one in working hours. */
export type Urgency = 'page' | 'ticket';

/** Definition of an alert. Its runbook is the file of the same name in `runbooks/`. */
export interface Alert {
  readonly alert: `Trapline${string}`;
  readonly expr: string;
  /** Time for which the condition must hold, such as `5m`. */
  readonly for: string;
  readonly urgency: Urgency;
  /** One line. May use the labels of the expression. */
  readonly summary: string;
  /** Meaning and consequences of the alert. */
  readonly description: string;
}

/** A query whose result Prometheus stores under a new name. */
export interface Recorded {
  readonly record: string;
  readonly expr: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (Alert | Recorded)[];
}

/** A Prometheus rule file. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

/** @param runbooks prefix of the URL of a runbook, before the file name */
export function ruleFile(groups: readonly RuleGroup[], runbooks: string): RuleFile {
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ('record' in rule ? rule : asPrometheusReadsIt(rule, runbooks))),
    })),
  };
}

function asPrometheusReadsIt({ alert, expr, for: held, urgency, summary, description }: Alert, runbooks: string) {
  return {
    alert,
    expr,
    for: held,
    labels: { severity: urgency },
    annotations: { summary, description, runbook_url: `${runbooks}${alert}.md` },
  };
}
