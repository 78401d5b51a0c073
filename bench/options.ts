import { parseArgs } from 'node:util';

/** Options of `npm run bench`. */
export type Options = {
  /** Each round has one turn of the app and one of the baseline. */
  rounds: number;
  /** Seconds per turn. */
  seconds: number;
  /** Runs only cases whose name contains this. */
  only: string;
  /** Measures everything so many times in a row. */
  runs: number;
  /** Compares the app with so many memories to the app with the standard number, instead of everything else. */
  rows: number | null;
  /** Writes the tables into bench/README.md. */
  writeReadme: boolean;
  /** The folder for the app's CPU profile. */
  profile: string | null;
};

/** @throws TypeError for unknown or invalid options */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      runs: { type: 'string', default: '1' },
      rows: { type: 'string' },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  if (values.write && values.only) throw new TypeError('--write needs all cases: leave out --only');
  return {
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    runs: wholeNumber('runs', values.runs),
    rows: values.rows === undefined ? null : parseRows(values.rows),
    only: values.only,
    writeReadme: values.write,
    profile: values.profile ?? null,
  };
}

/** Each user has 10,000. */
function parseRows(text: string): number {
  if (!/^[1-9]\d{0,2}0000$/.test(text)) throw new TypeError('--rows must be a multiple of 10000');
  return Number(text);
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new TypeError(`--${name} must be a whole number, 1 or more`);
  return Number(text);
}
