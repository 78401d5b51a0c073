/** A time zone's offsets from UTC, like `+02:00`. Each is valid from the start with the same index. */
type ZoneOffsets = { starts: string[]; offsets: string[] };

const MINUTE_MS = 60_000;
/** No zone has changed its offset twice in this time: the shortest was nine days, in Brazil in 2000. */
const STEP_MS = 7 * 24 * 60 * MINUTE_MS;
/** No memory was added before. */
const FIRST_START = Date.UTC(2000, 0);
/** Spellings included: names of time zones are case-insensitive. */
const MAX_CACHED_ZONES = 1_000;

const cachedOffsets = new Map<string, ZoneOffsets>();

/** From 2000 to the end of the next year. */
export function listZoneOffsets(timeZone: string, now: Date): ZoneOffsets {
  const year = now.getUTCFullYear();
  const key = `${year} ${timeZone}`;
  const cached = cachedOffsets.get(key);
  if (cached) return cached;
  const found = findZoneOffsets(timeZone, Date.UTC(year + 2, 0));
  if (cachedOffsets.size >= MAX_CACHED_ZONES) cachedOffsets.clear();
  cachedOffsets.set(key, found);
  return found;
}

function findZoneOffsets(timeZone: string, end: number): ZoneOffsets {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (time: number) => /GMT([+-][\d:]+)/.exec(format.format(time))?.[1] ?? '+00:00';
  const starts = ['-infinity'];
  const offsets = [offsetAt(FIRST_START)];
  for (let before = FIRST_START; before < end; before += STEP_MS) {
    const offset = offsetAt(before + STEP_MS);
    if (offset === offsets.at(-1)) continue;
    starts.push(new Date(findChange(offsetAt, before, before + STEP_MS)).toISOString());
    offsets.push(offset);
  }
  return { starts, offsets };
}

/** The first minute with the offset of `after`, by bisection. */
function findChange(offsetAt: (time: number) => string, before: number, after: number): number {
  const offset = offsetAt(after);
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}
