import { parseArgs } from 'node:util';

/** What `npm run bench` was asked for. */
export type Options = {
  /** Rounds of each case; app and floor have one turn in each. */
  rounds: number;
  /** The length of a turn. */
  seconds: number;
  /** Only cases whose name contains this; the gallery is one too. */
  only: string;
  /** Whether the tables go into bench/README.md. */
  isWritten: boolean;
  /** Where the app writes a CPU profile of itself. */
  profile: string | null;
};

/** @throws TypeError for what is none of these */
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
    isWritten: values.write,
    profile: values.profile ?? null,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new TypeError(`--${name} must be a whole number, 1 or more`);
  return Number(text);
}
