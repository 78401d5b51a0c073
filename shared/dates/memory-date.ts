import { joinMemoryDate, splitMemoryDate, toCalendarDay, type MemoryDate } from './calendar-date.ts';
import type { DateSource, SidecarDate } from './date-source.ts';
import { dateFromFileName } from './file-name-date.ts';

type DateCandidates = {
  person?: MemoryDate | null | undefined;
  /** The person wants no date. Ignored if `person` is given. */
  isUndated?: boolean | undefined;
  exif?: MemoryDate | null | undefined;
  sidecar?: SidecarDate | null | undefined;
  fileName?: string | null | undefined;
};

/** A larger difference means that someone corrected the date at Google or Apple; a smaller one can come from a time zone. */
const CORRECTED_AFTER_MS = 48 * 60 * 60 * 1000;

/** The modification time of a file is never a candidate: copying changes it. Null if nothing tells the date. */
export function chooseMemoryDate({ person, isUndated, exif, sidecar, fileName }: DateCandidates): {
  date: MemoryDate;
  source: DateSource;
} | null {
  if (person) return { date: person, source: 'person' };
  if (isUndated) return null;
  const isCorrected = exif && sidecar && Math.abs(toMs(exif) - toMs(sidecar.date)) > CORRECTED_AFTER_MS;
  if (exif && !isCorrected) return { date: exif, source: 'exif' };
  if (sidecar) return sidecar;
  const date = dateFromFileName(fileName ?? '');
  return date === null ? null : { date, source: 'file-name' };
}

/** As if local time was UTC. */
function toMs(date: MemoryDate): number {
  const { day, time } = splitMemoryDate(date);
  return Date.parse(`${day}T${time ?? '00:00'}Z`);
}

/** The local date and time of an instant in an IANA time zone. */
export function toMemoryDate(instant: Date, timeZone: string): MemoryDate {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    numberingSystem: 'latn',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(instant);
  return joinMemoryDate(toCalendarDay(instant, timeZone), time);
}
