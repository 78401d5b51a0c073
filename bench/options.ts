import { parseArgs } from 'node:util';

/** Options of `npm run bench`. */
export type Options = {
  /** Each round has one turn of the app and one of the baseline. */
  rounds: number;
  /** Seconds per turn. */
  seconds: number;
  /** Runs only cases whose name contains this. */
  only: string;
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
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  if (values.write && values.only) throw new TypeError('--write needs all cases: leave out --only');
  return {
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    only: values.only,
    writeReadme: values.write,
    profile: values.profile ?? null,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new TypeError(`--${name} must be a whole number, 1 or more`);
  return Number(text);
}
