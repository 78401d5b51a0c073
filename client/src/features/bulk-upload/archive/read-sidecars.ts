import * as z from 'zod/mini';

/** What is known of a photo beside its bytes. */
export interface Sidecar {
  source: 'takeout' | 'icloud';
  takenAt: Date | null;
  description: string | null;
  isFavorite: boolean;
  isTrashed: boolean;
  isHidden: boolean;
  /** Shared by a partner: somebody else's photo. */
  isOfPartner: boolean;
  people: string[];
}

const TakeoutSidecar = z.object({
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  photoTakenTime: z.optional(z.object({ timestamp: z.union([z.string(), z.number()]) })),
  favorited: z.optional(z.boolean()),
  trashed: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  googlePhotosOrigin: z.optional(z.object({ fromPartnerSharing: z.optional(z.unknown()) })),
  people: z.optional(z.array(z.object({ name: z.optional(z.string()) }))),
});

/** Null if it is another kind of JSON, as that of an album. */
export function parseTakeoutSidecar(json: string): Sidecar | null {
  const parsed = TakeoutSidecar.safeParse(parseJson(json));
  if (!parsed.success || !parsed.data.photoTakenTime) return null;
  const { description, photoTakenTime, favorited, trashed, googlePhotosOrigin, people = [] } = parsed.data;
  const seconds = Number(photoTakenTime.timestamp);
  return {
    source: 'takeout',
    // 0 stands for unknown.
    takenAt: Number.isFinite(seconds) && seconds !== 0 ? new Date(seconds * 1000) : null,
    description: description?.trim() || null,
    isFavorite: favorited ?? false,
    isTrashed: trashed ?? false,
    isHidden: false,
    isOfPartner: googlePhotosOrigin?.fromPartnerSharing !== undefined,
    people: people.flatMap(({ name }) => name ?? []),
  };
}

/** `Photo Details.csv`: by the name of the photo, which is unique in its folder. */
export function parseICloudDetails(csv: string): Map<string, Sidecar> {
  const [header = [], ...rows] = parseCsv(csv);
  const column = (name: string) =>
    header.findIndex((each) => each.trim().toLowerCase() === name.toLowerCase());
  const [name, favorite, hidden, deleted, created] = [
    'imgName',
    'favorite',
    'hidden',
    'deleted',
    'originalCreationDate',
  ].map(column);
  const sidecars = new Map<string, Sidecar>();
  if (name === undefined || name < 0) return sidecars;
  for (const row of rows) {
    const at = (index: number | undefined) => row[index ?? -1]?.trim() ?? '';
    const isYes = (index: number | undefined) => at(index).toLowerCase() === 'yes';
    if (at(name) === '') continue;
    sidecars.set(at(name), {
      source: 'icloud',
      takenAt: parseICloudDate(at(created)),
      description: null,
      isFavorite: isYes(favorite),
      isTrashed: isYes(deleted),
      isHidden: isYes(hidden),
      isOfPartner: false,
      people: [],
    });
  }
  return sidecars;
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
];

/** `Friday January 31,2020 8:30 AM GMT` */
function parseICloudDate(text: string): Date | null {
  const match = /([a-z]+) (\d{1,2}), ?(\d{4}) (\d{1,2}):(\d{2}) ([AP])M GMT/i.exec(text);
  if (!match) return null;
  const [, month = '', day, year, hour, minute, half = ''] = match;
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  if (monthIndex < 0) return null;
  const hours = (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  return new Date(Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute)));
}

/** `Albums/Rex.csv`: the names of its photos. */
export function parseICloudAlbum(csv: string): string[] {
  return parseCsv(csv)
    .slice(1)
    .flatMap(([name = '']) => name.trim() || []);
}

/** Quoted cells may have commas, quotes and lines. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/g;
  for (const [whole, value = '', end] of text.replace(/^\uFEFF/, '').matchAll(cells)) {
    cell = value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value;
    if (whole !== '') rows.at(-1)!.push(cell);
    if (end !== ',' && end !== '' && whole !== '') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
