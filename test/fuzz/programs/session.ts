import { setTimeout as pause } from 'node:timers/promises';
import type { Case } from './cases/case.ts';
import { type Client, createClient, NoAnswer } from './client.ts';
import { checkControls } from './controls.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { Outcome } from './outcomes.ts';
import { startProbe } from './probe.ts';
import type { Gap, ProbeReport } from './probe-messages.ts';
import { memoryOfTree, type ProcessMemory, resetPeaks } from './processes.ts';
import { startProduct } from './product.ts';
import { type Place, submitBatch, submitDefinition } from './submit.ts';
import { createAgent, submitAgentSchema, submitAgentScript } from './submit-agent.ts';
import type { Unit } from './units.ts';

export interface Budgets {
  readonly memoryBytes: number;
  readonly gapMs: number;
}

/** A service under test, which is observed from outside, with lanes that submit units. */
export interface Session {
  /** Resolves to the outcome of each case, or to `interrupted` when the service ended or no answer arrived. */
  submit(unit: Unit, lane: number): Promise<Outcome[]>;
  /** Checks the control workflow and that no execution is left running. */
  checkControls(): Promise<void>;
  /** Resolves when both health endpoints have answered after this call, or the service has ended. */
  settled(): Promise<void>;
  readonly running: boolean;
  memory(): ProcessMemory[];
  resetMemory(): void;
  probe(): ProbeReport | undefined;
  statuses(): Map<number, number>;
  /** Returns the end of the service's log. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

const MEMORY_EVERY_MS = 250;
/** A fault can appear after its unit has ended. Units that ended within this time are suspects, too. */
const RECENT_MS = 3_000;
const EXIT_MS = 3_000;
const HUNG_MS = 30_000;

export async function startSession(
  { memoryBytes, gapMs }: Budgets,
  lanes: number,
  onFault: (fault: Fault) => void,
): Promise<Session> {
  const product = await startProduct();
  const inFlight = new Set<Unit>();
  let recent: { readonly unit: Unit; readonly at: number }[] = [];
  const overMemory = new Set<number>();
  const overGap = new Set<string>();
  const refusedHealth = new Set<string>();
  const peaks = new Map<number, ProcessMemory>();
  let reportedHung = false;
  let stopping = false;

  const suspects = () => [
    ...inFlight,
    ...recent.filter(({ at }) => at > Date.now() - RECENT_MS).map(({ unit }) => unit),
  ];
  const report = (kind: FaultKind, detail: string, units: readonly Unit[] = suspects()) => {
    if (!stopping) onFault({ kind, detail, suspects: units });
  };

  const clients = product.accounts.map(
    (account, at): Client =>
      createClient(product.url, account, product.accounts[at === 0 ? 1 : 0], (where) =>
        report('crossed-accounts', where),
      ),
  );
  const slugs = Array.from({ length: lanes }, (_, lane) => [`lane-${lane}-alice`, `lane-${lane}-bob`] as const);
  for (const names of slugs)
    for (const [account, slug] of names.entries()) await createAgent({ client: clients[account] as Client, slug });
  const agentConfigs = new Map<string, Place['agentConfig']>(
    slugs.flat().map((slug) => [slug, { current: undefined }]),
  );

  const probe = await startProbe(product, gapMs, ({ targets, over }) => {
    const hung = Object.values(targets).find(({ longest }) => longest?.open && counts(longest, HUNG_MS));
    if (hung?.longest !== undefined && !reportedHung) {
      reportedHung = true;
      report('process-hung', describe(hung.longest));
    }
    for (const gap of over)
      if (counts(gap, gapMs) && !overGap.has(`${gap.target} ${gap.from}`)) {
        overGap.add(`${gap.target} ${gap.from}`);
        report('health-gap', describe(gap));
      }
    for (const [name, { refusals }] of Object.entries(targets))
      for (const [status, text] of Object.entries(refusals))
        if (!refusedHealth.has(`${name} ${status}`)) {
          refusedHealth.add(`${name} ${status}`);
          report('health-status', `${name} answered ${status}: ${text}`);
        }
  });
  const watch = setInterval(look, MEMORY_EVERY_MS);
  look();
  void product.server.exited.then((code) => {
    // The report includes the output, because the log is deleted with the service.
    if (!stopping) report('process-ended', `exit code ${code}: ${product.server.output().slice(-1_500)}`);
  });

  function look(): void {
    for (const memory of memoryOfTree(product.pid)) {
      // While a process ends, the kernel reports zero for it.
      if (memory.peakBytes > 0) peaks.set(memory.pid, memory);
      if (memory.engine || memory.peakBytes <= memoryBytes || overMemory.has(memory.pid)) continue;
      overMemory.add(memory.pid);
      report('memory', `${memory.command}: peak ${mebibytes(memory.peakBytes)} MiB`);
    }
  }

  async function submit(unit: Unit, lane: number): Promise<Outcome[]> {
    inFlight.add(unit);
    const slug = slugs[lane]?.[unit.account] ?? '';
    const place: Place = {
      client: clients[unit.account] as Client,
      slug,
      agentConfig: agentConfigs.get(slug) ?? { current: undefined },
      report: (kind, detail, cases) => report(kind, detail, [{ ...unit, cases }]),
    };
    try {
      return await outcomesOf(unit, place);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // The connection can close before the exit of the process is known.
      await Promise.race([product.server.exited, pause(EXIT_MS, undefined, { ref: false })]);
      if (product.server.running && !stopping) report('server-error', error.message, [unit]);
      return unit.cases.map((one) => ({ case: one, outcome: 'interrupted' }));
    } finally {
      inFlight.delete(unit);
      recent = [...recent.filter(({ at }) => at > Date.now() - RECENT_MS), { unit, at: Date.now() }];
    }
  }

  return {
    submit,
    async checkControls() {
      for (const [account, client] of clients.entries())
        await checkControls(
          client,
          slugs.map((names) => names[account] ?? ''),
          (kind, detail) => report(kind, detail),
        );
    },
    async settled() {
      for (const path of ['/healthz', '/api/health'])
        await fetch(product.url + path, { signal: AbortSignal.timeout(120_000) }).then(
          (answer) => answer.text(),
          () => undefined,
        );
    },
    get running() {
      return product.server.running;
    },
    memory: () => [...peaks.values()],
    resetMemory() {
      resetPeaks(product.pid);
      overMemory.clear();
    },
    probe: probe.report,
    statuses: () =>
      clients.reduce(
        (all, { statuses }) =>
          statuses.entries().reduce((sum, [status, count]) => sum.set(status, (sum.get(status) ?? 0) + count), all),
        new Map<number, number>(),
      ),
    log: () => product.server.log(),
    async stop() {
      stopping = true;
      clearInterval(watch);
      probe.stop();
      await product.stop();
    },
  };
}

function outcomesOf(unit: Unit, place: Place): Promise<Outcome[]> {
  const { kind, entry, cases } = unit;
  if (kind === 'definition') return inTurn(cases, (one) => submitDefinition(place, one, entry === 'run'));
  if (entry !== 'agent') return submitBatch(place, cases);
  const submitOne = kind === 'schema' ? submitAgentSchema : submitAgentScript;
  return inTurn(cases, (one) => submitOne(place, one));
}

async function inTurn(cases: readonly Case[], submitOne: (one: Case) => Promise<Outcome>): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (const one of cases) all.push(await submitOne(one));
  return all;
}

/**
 * Returns true for a gap that the service caused: after subtraction of the wait for processors that other processes
 * used, it exceeds the budget, and the bare server answered within it. Otherwise the machine was busy.
 */
function counts({ ms, bareMs, waitedMs }: Gap, budgetMs: number): boolean {
  return ms - waitedMs > budgetMs && bareMs < budgetMs / 2;
}

function describe({ target, from, ms, bareMs, lateMs, waitedMs, open }: Gap): string {
  return `${target}: no answer for ${open ? 'more than ' : ''}${ms} ms from ${new Date(from).toISOString()}; waited ${waitedMs} ms for a processor that others used, bare server ${bareMs} ms, probe late by ${lateMs} ms`;
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
