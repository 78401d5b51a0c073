import type { RequestHandler } from 'express';
import { isTimeZone } from '#shared/dates/calendar-date';
import type { AppContext } from '../../../platform/context.ts';
import { updateTimeZone } from './user-queries.ts';

/** Postgres reads these names as abbreviations with a fixed offset, without daylight saving time. */
const CITY_ZONES: Record<string, string> = {
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  WET: 'Europe/Lisbon',
};

/** Stores the browser's time zone, for emails and for photos that arrive by email or SMS. */
export function storeTimeZone({ db }: Pick<AppContext, 'db'>): RequestHandler {
  return async (request, _response, next) => {
    const sent = request.get('X-Time-Zone');
    const timeZone = sent && (CITY_ZONES[sent] ?? sent);
    if (request.user && timeZone && timeZone !== request.user.timeZone && isTimeZone(timeZone)) {
      await updateTimeZone(db, request.user.id, timeZone);
      request.user.timeZone = timeZone;
    }
    next();
  };
}
