import { benchAccountTiming } from './account-timing.ts';
import { benchAgentLists } from './agent-lists.ts';
import { benchApiMemory } from './api-memory.ts';
import { benchBackup } from './backup.ts';
import { benchBrokerCopies } from './broker-copies.ts';
import { benchClusterLanding } from './cluster-landing.ts';
import { benchConsole } from './console.ts';
import type { BenchContext } from './context.ts';
import { benchDecode } from './decode.ts';
import { benchDetector } from './detector.ts';
import { benchDetectorHttp } from './detector-http.ts';
import { benchDetectorTrace } from './detector-trace.ts';
import { benchExecutionAccept } from './execution-accept.ts';
import { benchExecutionLists } from './execution-lists.ts';
import { benchExecutionMemory } from './execution-memory.ts';
import { benchExecutionStatements } from './execution-statements.ts';
import { benchExecutions } from './executions.ts';
import { benchExport } from './export.ts';
import { benchExternalWorkers } from './external-workers.ts';
import { benchIdle } from './idle.ts';
import { benchKeys } from './keys.ts';
import { benchLanding } from './landing.ts';
import { benchLaneSteps } from './lane-steps.ts';
import { benchLaneThreads } from './lane-threads.ts';
import { benchLargeStore } from './large-store.ts';
import { benchLatency } from './latency.ts';
import { benchLimits } from './limits.ts';
import { benchPipeline } from './pipeline.ts';
import { benchProfile } from './profile.ts';
import { benchQueries } from './queries.ts';
import { benchRecentLists } from './recent-lists.ts';
import { benchRecordStepsBefore } from './record-steps-before.ts';
import { benchRestart } from './restart.ts';
import { benchRivals } from './rivals.ts';
import type { BenchRow } from './row.ts';
import { benchRuleBacktest } from './rule-backtest.ts';
import { benchScraper } from './scraper.ts';
import { benchStoredBytes } from './stored-bytes.ts';
import { benchStream } from './stream.ts';
import { benchTracing } from './tracing.ts';
import { benchTracker } from './tracker.ts';
import { benchTrackerBefore } from './tracker-before.ts';

/** Benchmarks without stores. */
const WITHOUT_STORES = {
  rivals: benchRivals,
  'detector-trace': benchDetectorTrace,
  'cluster-landing': benchClusterLanding,
  'external-workers': benchExternalWorkers,
  'execution-memory': benchExecutionMemory,
  'tracker-before': benchTrackerBefore,
  'record-steps-before': benchRecordStepsBefore,
  'lane-steps': benchLaneSteps,
  'broker-copies': benchBrokerCopies,
} satisfies Record<string, () => Promise<BenchRow[]>>;

/** Every benchmark by name, in the order in which they run. */
export const BENCHES = {
  decode: benchDecode,
  tracker: benchTracker,
  ...WITHOUT_STORES,
  detector: benchDetector,
  'detector-http': benchDetectorHttp,
  landing: benchLanding,
  'lane-threads': benchLaneThreads,
  pipeline: benchPipeline,
  latency: benchLatency,
  tracing: benchTracing,
  restart: benchRestart,
  idle: benchIdle,
  limits: benchLimits,
  scraper: benchScraper,
  keys: benchKeys,
  'api-memory': benchApiMemory,
  'account-timing': benchAccountTiming,
  executions: benchExecutions,
  'execution-accept': benchExecutionAccept,
  'execution-lists': benchExecutionLists,
  'execution-statements': benchExecutionStatements,
  'agent-lists': benchAgentLists,
  'recent-lists': benchRecentLists,
  queries: benchQueries,
  'large-store': benchLargeStore,
  'stored-bytes': benchStoredBytes,
  'rule-backtest': benchRuleBacktest,
  export: benchExport,
  stream: benchStream,
  backup: benchBackup,
  console: benchConsole,
  profile: benchProfile,
} satisfies Record<string, (context: BenchContext) => Promise<BenchRow[]>>;

export type BenchName = keyof typeof BENCHES;

/** Returns a benchmark that runs without stores, or undefined. */
export function withoutStores(name: BenchName): (() => Promise<BenchRow[]>) | undefined {
  return Object.hasOwn(WITHOUT_STORES, name) ? WITHOUT_STORES[name as keyof typeof WITHOUT_STORES] : undefined;
}

/** Not run by default: they print a profile, or need another checkout, root and tracefs, or more than ten minutes. */
export const ON_REQUEST: ReadonlySet<BenchName> = new Set([
  'profile',
  'lane-threads',
  'tracker-before',
  'record-steps-before',
  'detector-trace',
  'execution-memory',
  'large-store',
]);
