import { codehostRepo } from './codehost-repo.ts';
import { codehostRepos } from './codehost-repos.ts';
import { codehostUser } from './codehost-user.ts';
import type { Scraper } from './scraper.ts';

/** All scrapers. */
export const SCRAPERS: readonly Scraper[] = [codehostUser, codehostRepos, codehostRepo];
