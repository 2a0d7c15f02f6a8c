import { escapeHtml } from '#api/http/pages/escape-html.ts';
import { PAGE_STYLE } from '#api/http/pages/page-style.ts';
import type { Status } from './status.ts';

/** No scripts, and only the style sheet of the server. */
export const STATUS_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STATES = { ok: 'Works', degraded: 'Degraded', down: 'Down' } as const;
const TITLES = { ok: 'All components work', degraded: 'Some components are degraded', down: 'A component is down' };
const NAMES: Readonly<Record<string, string>> = {
  database: 'Accounts and executions (PostgreSQL)',
  'event-store': 'Events and detections (ClickHouse)',
  'shared-state': 'Limits and live feed (Redis)',
  kafka: 'Event topic (Kafka)',
  ingest: 'Ingest of events',
  workflows: 'Workflows and agents',
  outputs: 'Delivery to outputs',
};

/** Renders the status page. It reloads itself every half minute. */
export function statusPage({ status, checkedMs, components, ingest, incidents }: Status): string {
  const figures = [
    ['Records waiting', ingest.lagRecords === null ? 'unknown' : ingest.lagRecords.toLocaleString('en-US')],
    ['Latest event stored', ingest.lastEventMs === null ? 'not within a day' : time(ingest.lastEventMs)],
  ];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta http-equiv="refresh" content="30">',
    `<title>Status – Trapline</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="${PAGE_STYLE}"></head>`,
    '<body>',
    '<main class="wide">',
    `<h1>${TITLES[status]}</h1>`,
    tableOf(
      'Components',
      ['Component', 'State', 'Since'],
      components.map(({ name, state, sinceMs }) => [
        escapeHtml(NAMES[name] ?? name),
        mark(state),
        sinceMs === null ? '–' : time(sinceMs),
      ]),
    ),
    tableOf('Ingest', ['Figure', 'Value'], figures),
    incidents.length === 0
      ? '<h2>Incidents</h2><p>None in the last two weeks.</p>'
      : tableOf(
          'Incidents',
          ['Component', 'State', 'From', 'To'],
          incidents.map(({ component, state, startedAt, endedAt }) => [
            escapeHtml(NAMES[component] ?? component),
            mark(state),
            time(startedAt.getTime()),
            endedAt === null ? 'ongoing' : time(endedAt.getTime()),
          ]),
        ),
    `<p class="note">Checked at ${time(checkedMs)}. As JSON: <a href="/api/status">/api/status</a>.</p>`,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function mark(state: keyof typeof STATES): string {
  return `<span class="state" data-state="${state}">${STATES[state]}</span>`;
}

/** Cells are HTML. */
function tableOf(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) => row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('');
  return `<h2>${title}</h2><table><thead><tr>${cells('th', head)}</tr></thead><tbody>${body}</tbody></table>`;
}

function time(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
