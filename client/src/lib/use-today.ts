import { useSyncExternalStore } from 'react';
import type { CalendarDate } from '#shared/dates/calendar-date';
import { toLocalDay } from './dates.ts';

/** The local day. A page that was left open over midnight learns it when it is shown again. */
export function useToday(): CalendarDate {
  return useSyncExternalStore(subscribe, today, today);
}

const today = () => toLocalDay(new Date().toISOString());

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
