/** Sort keys of the lists of hosts and programs, both descending: time of the latest event, or risk. */
export const ACTIVITY_SORTS = ['lastSeen', 'risk'] as const;
export type ActivitySort = (typeof ACTIVITY_SORTS)[number];
