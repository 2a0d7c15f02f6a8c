import { stringify } from 'yaml';
import { RULE_GROUPS } from './alerts/all-rules.ts';
import { ruleFile } from './alerts/rule.ts';
import { BOARDS } from './boards/all-boards.ts';

/** Default address of the runbooks: a path of this repository. */
export const RUNBOOKS = 'dashboards/grafana/runbooks/';

const BEWARE =
  '# Written by dashboards/grafana/generate.ts: change the rules in dashboards/grafana/alerts, not here.\n';

/** Names and texts of all files that Grafana and Prometheus read. The same input gives the same bytes. */
export function generatedFiles(runbooks = RUNBOOKS): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [name, dashboard] of Object.entries(BOARDS))
    files.set(`dashboards/${name}.json`, `${JSON.stringify(dashboard, null, 2)}\n`);
  files.set('trapline.rules.yml', BEWARE + stringify(ruleFile(RULE_GROUPS, runbooks), { lineWidth: 0 }));
  return files;
}
