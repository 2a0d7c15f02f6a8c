import { createOutboundConnect, type OutboundConnect } from '#api/outbound/outbound-connect.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import { reportForgery } from '#api/outbound/report-forgery.ts';
import { createScraperPipeline, type ScraperPipeline } from '#api/scrapers/pipeline.ts';
import type { Foundation } from './foundation.ts';

/** Outbound requests and connections of one process. */
export interface OutboundPart {
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly scraperPipeline: ScraperPipeline;
}

export async function startOutbound(foundation: Foundation): Promise<OutboundPart> {
  const { config, lifecycle, log, registry, shared, report, tracing } = foundation;
  const { outboundAllow, codeHost } = config.platform;
  const fetch = await lifecycle.start('outbound connections', () => {
    const value = createOutboundFetch({ allow: outboundAllow, onRefusal: reportForgery(report), tracing });
    return { value, stop: () => value.close() };
  });
  const scraperPipeline = await lifecycle.start('scraper calls', () => {
    const value = createScraperPipeline({ shared, fetch, registry, logger: log }, { codeHost });
    return { value, stop: async () => value.close() };
  });
  const connect = createOutboundConnect({ allow: outboundAllow, onRefusal: reportForgery(report) });
  return { fetch, connect, scraperPipeline };
}
