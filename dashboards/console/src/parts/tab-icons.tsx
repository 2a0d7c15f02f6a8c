import {
  Activity,
  ChartColumn,
  CirclePlay,
  ClipboardCheck,
  FileCode,
  FileOutput,
  FlaskConical,
  Folder,
  Gauge,
  History,
  Info,
  LayoutDashboard,
  List,
  type LucideIcon,
  MessageSquare,
  Route,
  Scale,
  Share2,
  ShieldOff,
  SlidersHorizontal,
  Wrench,
  Zap,
} from 'lucide-react';
import { ICON_PX } from './tokens.ts';

/** Icons by tab id. Separate from `icons.tsx`, so that only pages with tabs load them. */
const SHAPES: Readonly<Record<string, LucideIcon>> = {
  configuration: SlidersHorizontal,
  definition: FileCode,
  examples: FlaskConical,
  exceptions: ShieldOff,
  executions: List,
  experiments: Scale,
  files: Folder,
  limits: Gauge,
  live: Activity,
  overview: LayoutDashboard,
  requests: MessageSquare,
  result: FileOutput,
  review: ClipboardCheck,
  run: CirclePlay,
  runs: List,
  sharing: Share2,
  tools: Wrench,
  trace: Route,
  triggers: Zap,
  usage: ChartColumn,
  versions: History,
  workspace: Folder,
};

/**
 * The icon of a tab. Hidden from screen readers, because it repeats the label. A tab that is not in the table has a
 * neutral icon.
 */
export function TabIcon({ id }: { readonly id: string }) {
  const Shape = SHAPES[id] ?? Info;
  return <Shape size={ICON_PX} strokeWidth={1.75} aria-hidden focusable={false} style={{ flexShrink: 0 }} />;
}
