/** `page` needs an immediate reaction, `ticket` one in working hours. */
export type Urgency = 'page' | 'ticket';

/** An alert as it is written here; its runbook is the file of its name in `runbooks/`. */
export interface Alert {
  readonly alert: `Trapline${string}`;
  readonly expr: string;
  /** How long it has to hold, such as `5m`. */
  readonly for: string;
  readonly urgency: Urgency;
  /** One line; may use the labels of the expression. */
  readonly summary: string;
  /** What it means and what it costs. */
  readonly description: string;
}

/** A query whose answer Prometheus keeps under a name of its own. */
export interface Recorded {
  readonly record: string;
  readonly expr: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (Alert | Recorded)[];
}

/** A rule file of Prometheus. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

/** @param runbooks what stands before the file name of a runbook in its address */
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
