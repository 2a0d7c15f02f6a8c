import { Menu } from '@mantine/core';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { copyText } from '../clipboard.ts';
import { type FilterTexts, filterFor } from '../filters/filter-values.ts';
import { PARTS_TEXT } from '../text.ts';
import { choicesOf, type Narrowing, narrowed } from './value-filters.ts';
import { addressOf, type ValuePage } from './value-page.ts';
import { relatedEvents } from './value-related.ts';
import type { FilteredList, ValueSubject } from './value-subject.ts';

const TEXT = PARTS_TEXT.value;

/** Includes closed cases, which the list of cases otherwise excludes. */
const ANY_STATUS: FilterTexts = { status: 'any' };

/** Items of a value's menu. Without a list, there are no filter items. */
export function ValueMenu({
  name,
  value,
  list,
  by = 'filter',
  title,
  among,
  subject,
  page: given,
}: {
  readonly name: string;
  readonly value: string;
  readonly list: FilteredList | undefined;
  readonly by?: Narrowing | undefined;
  /** Title, if the value alone does not show what is filtered. */
  readonly title?: string | undefined;
  readonly among?: readonly string[] | undefined;
  readonly subject: ValueSubject;
  /** Page of the record that the value identifies. Default: that of the rule, if it is one. */
  readonly page?: ValuePage | undefined;
}) {
  const navigate = useNavigate();
  const onList = useRouterState({ select: ({ location }) => isOn(location.pathname, list) });
  const hostname = name === 'hostname' ? value : subject.hostname;
  const procname = name === 'procname' ? value : subject.procname;
  const page = given ?? (name === 'rule' ? ({ kind: 'rule', id: value } as const) : undefined);
  const choices = list === undefined ? [] : choicesOf(by).map((choice) => ({ choice, list }));
  /** A case has several hosts, programs and events. */
  const isCase = list === '/cases';
  const related = isCase ? undefined : relatedEvents(name, value, by, subject);
  return (
    <>
      {title !== undefined && <Menu.Label>{title}</Menu.Label>}
      {choices.map((one) => (
        <Menu.Item
          key={one.choice}
          onClick={() =>
            void navigate({
              to: one.list === 'here' ? '.' : one.list,
              ...(one.list === '/hosts/$hostname' ? { params: { hostname: subject.hostname ?? '' } } : {}),
              // On the list itself, the other filters are kept.
              search: ((before: FilterTexts) => {
                const filters = onList ? before : isCase ? ANY_STATUS : {};
                return { ...filters, ...narrowed(filters, by, name, value, one.choice, among) };
              }) as never,
            })
          }
        >
          {TEXT.choices[one.choice]}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => copyText(value)}>{TEXT.copy}</Menu.Item>
      {(page || ((hostname || procname || related) && !isCase)) && <Menu.Divider />}
      {page && <Menu.Item onClick={() => void navigate(addressOf(page))}>{TEXT.open[page.kind]}</Menu.Item>}
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
      {related && (
        <Menu.Item onClick={() => void navigate({ to: '/events', search: related as never })}>
          {TEXT.relatedEvents}
        </Menu.Item>
      )}
    </>
  );
}

function isOn(pathname: string, list: FilteredList | undefined): boolean {
  if (list === 'here') return true;
  return list === '/hosts/$hostname' ? /^\/hosts\/./.test(pathname) : pathname === list;
}
