import { Menu } from '@mantine/core';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { copyText } from './clipboard.ts';
import { type FilterTexts, filterFor, filterOut } from './filter-values.ts';
import { PARTS_TEXT } from './text.ts';
import type { FilteredList, ValueSubject } from './value-subject.ts';

const TEXT = PARTS_TEXT.value;

/** Filters that the list of events has as well. */
const EVENT_FILTERS = new Set(['hostname', 'procname', 'file', 'register', 'executable', 'unit', 'container', 'pod']);

/** The items of the menu of a value. */
export function ValueMenu({
  name,
  value,
  list,
  subject,
}: {
  readonly name: string;
  readonly value: string;
  readonly list: FilteredList;
  readonly subject: ValueSubject;
}) {
  const navigate = useNavigate();
  const onList = useRouterState({ select: ({ location }) => location.pathname === list });
  const hostname = name === 'hostname' ? value : subject.hostname;
  const procname = name === 'procname' ? value : subject.procname;
  /** On the list itself the other filters stay. */
  const filter = (changed: (before: FilterTexts) => FilterTexts) =>
    void navigate({
      to: list,
      search: ((before: FilterTexts) => {
        const filters = onList ? before : {};
        return { ...filters, ...changed(filters) };
      }) as never,
    });
  /** A case has several hosts, programs and events. */
  const isCase = list === '/cases';
  const related = {
    ...(EVENT_FILTERS.has(name) ? filterFor(name, value) : {}),
    ...(hostname ? filterFor('hostname', hostname) : {}),
    ...(name !== 'hostname' && procname ? filterFor('procname', procname) : {}),
    from: subject.from,
    to: subject.to,
  };
  return (
    <>
      <Menu.Item onClick={() => filter(() => (isCase ? { [name]: value } : filterFor(name, value)))}>
        {TEXT.filterFor}
      </Menu.Item>
      {!isCase && (
        <Menu.Item onClick={() => filter((before) => filterOut(before, name, value))}>{TEXT.filterOut}</Menu.Item>
      )}
      <Menu.Item onClick={() => copyText(value)}>{TEXT.copy}</Menu.Item>
      {!isCase && <Menu.Divider />}
      {hostname && (
        <Menu.Item onClick={() => void navigate({ to: '/hosts/$hostname', params: { hostname } })}>
          {TEXT.openHost}
        </Menu.Item>
      )}
      {procname && (
        <Menu.Item
          onClick={() =>
            void navigate({
              to: '/detections',
              search: { ...filterFor('procname', procname), group: 'hostname' } as never,
            })
          }
        >
          {TEXT.openProgram}
        </Menu.Item>
      )}
      {!isCase && (
        <Menu.Item onClick={() => void navigate({ to: '/events', search: related as never })}>
          {TEXT.relatedEvents}
        </Menu.Item>
      )}
    </>
  );
}
