import { PageLink } from './page-link.tsx';
import { PARTS_TEXT } from './text.ts';
import { ValueActions } from './values/value-actions.tsx';
import type { FilteredList, ValueSubject } from './values/value-subject.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.process;

/** Facts about the process of an event, or about the processes of a detection. Null if unknown. */
export interface ShownProcess {
  readonly executable: string | null;
  readonly buildId: string | null;
  readonly uid: number | null;
  readonly parent: string | null;
  readonly unit: string | null;
  readonly container: string | null;
  readonly pod: string | null;
}

/** Returns the known facts. Those that lists can filter by link to the list of `to`. */
export function processFacts(
  to: Exclude<FilteredList, '/cases' | 'here'>,
  process: ShownProcess,
  subject: ValueSubject = {},
) {
  const names = [
    'executable',
    'unit',
    'container',
    'pod',
    ...(to === '/detections' ? (['parent'] as const) : []),
  ] as const;
  const filtered = names.map(
    (name) =>
      [
        TEXT[name],
        process[name] === null ? null : (
          <ValueActions key={name} name={name} value={process[name]} list={to} subject={subject}>
            <PageLink to={to} search={{ [name]: process[name] }} size="sm">
              {visible(process[name])}
            </PageLink>
          </ValueActions>
        ),
      ] as const,
  );
  /** Search fields. The list of events has no search field for the parent process. */
  const searched = (['build_id', 'uid', ...(to === '/events' ? (['parent'] as const) : [])] as const).map((name) => {
    const value = name === 'build_id' ? process.buildId : process[name];
    const content =
      value === null ? null : (
        <ValueActions
          key={name}
          name={name}
          by="term"
          value={value}
          list={name === 'parent' ? undefined : to}
          subject={subject}
        >
          {visible(String(value))}
        </ValueActions>
      );
    return [TEXT[name === 'build_id' ? 'buildId' : name], content] as const;
  });
  return [...filtered, ...searched].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}
