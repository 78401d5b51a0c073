/** A year, or a month of one, in a search: it matches what was taken then, and the words themselves. */
export type SearchPeriod<Text = string> = {
  /** `YYYY-MM-DD`, the first day. */
  from: Text;
  /** The day after the last. */
  to: Text;
  words: Text[];
};

const MONTHS = `january february march april may june july august september october november december`.split(
  ' ',
);
const MIN_MONTH_LENGTH = 3;
/** Photography is younger. */
const MIN_YEAR = 1826;
const MAX_YEAR = 2199;

/** Replaces years, with the name of a month before or after them, by periods. The words are normalized. */
export function findSearchPeriods(words: readonly string[]): (string | SearchPeriod)[] {
  const terms: (string | SearchPeriod)[] = [];
  for (let index = 0; index < words.length; index++) {
    const [word = '', next = ''] = words.slice(index, index + 2);
    const period = toMonth(word, next) ?? toMonth(next, word) ?? toYear(word);
    terms.push(period ?? word);
    if (period?.words.length === 2) index++;
  }
  return terms;
}

function toMonth(monthName: string, yearText: string): SearchPeriod | null {
  const month = MONTHS.findIndex(
    (name) => monthName.length >= MIN_MONTH_LENGTH && name.startsWith(monthName),
  );
  const year = parseYear(yearText);
  if (month < 0 || year === null) return null;
  const words = [monthName, yearText];
  return { from: toDay(year, month), to: toDay(year, month + 1), words };
}

function toYear(word: string): SearchPeriod | null {
  const year = parseYear(word);
  return year === null ? null : { from: toDay(year, 0), to: toDay(year + 1, 0), words: [word] };
}

function parseYear(word: string): number | null {
  const year = /^\d{4}$/.test(word) ? Number(word) : 0;
  return year >= MIN_YEAR && year <= MAX_YEAR ? year : null;
}

const toDay = (year: number, month: number) => new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
