import type { RequestHandler } from 'express';
import { isTimeZone } from '#shared/calendar-date';
import type { AppContext } from '../../platform/context.ts';
import { updateTimeZone } from './user-queries.ts';

/** Postgres takes these names for abbreviations, which know no summer time. */
const CITY_OF: Record<string, string> = {
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  WET: 'Europe/Lisbon',
};

/** Keeps the zone that the browser sends, for emails and for photos that arrive without a browser. */
export function rememberTimeZone({ db }: Pick<AppContext, 'db'>): RequestHandler {
  return async (request, _response, next) => {
    const given = request.get('X-Time-Zone');
    const timeZone = given && (CITY_OF[given] ?? given);
    if (request.user && timeZone && timeZone !== request.user.timeZone && isTimeZone(timeZone)) {
      await updateTimeZone(db, request.user.id, timeZone);
      request.user.timeZone = timeZone;
    }
    next();
  };
}
