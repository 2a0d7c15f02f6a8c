/** What lists of hosts and programs are sorted by: latest event, or risk; the last, or highest, comes first. */
export const ACTIVITY_SORTS = ['lastSeen', 'risk'] as const;
export type ActivitySort = (typeof ACTIVITY_SORTS)[number];
