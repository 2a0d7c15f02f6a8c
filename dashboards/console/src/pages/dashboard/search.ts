export const VIEWS = ['overview', 'live'] as const;
export const RANGES = ['1h', '24h', '7d', '30d'] as const;

export interface DashboardSearch {
  readonly view?: (typeof VIEWS)[number];
  readonly range?: (typeof RANGES)[number];
}
