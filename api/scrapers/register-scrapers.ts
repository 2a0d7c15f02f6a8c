import type { ApiServer } from '#api/http/api-server.ts';
import { featuresRoute } from './features-route.ts';
import type { ScraperPipeline } from './pipeline.ts';
import { scraperRoutes } from './routes.ts';
import { SCRAPERS } from './scrapers.ts';
import { type UploadDeps, uploadsRoute } from './uploads/route.ts';

export interface ScrapersDeps extends UploadDeps {
  readonly pipeline: ScraperPipeline;
}

/** Registers a route for each scraper, their catalogue and the download of uploads. */
export function registerScrapers(app: ApiServer, { pipeline, dataDir }: ScrapersDeps): void {
  scraperRoutes(app, { scrapers: SCRAPERS, pipeline });
  uploadsRoute(app, { dataDir });
  featuresRoute(app, { scrapers: SCRAPERS });
}
