import { z } from 'zod';

/** A time in a response. */
export const instantSchema = z.iso.datetime().describe('RFC 3339').meta({ example: '2026-03-01T12:00:00.000Z' });
