import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Options of `npm run bench:web`. */
export type WebOptions = {
  /** Every page is loaded and scrolled once per round. */
  rounds: number;
  /** Only pages whose name contains this. */
  only: string;
  /** The file for the raw figures, as JSON. */
  output: string;
  /** A built checkout that is measured in turns with this one. */
  against: string | null;
  /** Slows the browser's processor down by this factor. */
  cpu: number;
  /** Minutes of use before the browser's memory is measured; 0 to leave it out. */
  memoryMinutes: number;
  /** Photos that are added at once; 0 to leave it out. */
  photos: number;
  /** Scores the pages with Lighthouse, which npx downloads. */
  lighthouse: boolean;
  /** Writes the tables into bench/README.md. */
  writeReadme: boolean;
  /** The folder for the CPU profiles of the scrolls. */
  profile: string | null;
  /** The folder for films of the scrolls, one more for each page. */
  film: string | null;
};

/** @throws TypeError for unknown or invalid options */
export function parseWebOptions(args: string[]): WebOptions {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      output: { type: 'string', default: 'test-results/bench-web.json' },
      against: { type: 'string' },
      cpu: { type: 'string', default: '1' },
      memory: { type: 'string', default: '0' },
      photos: { type: 'string', default: '0' },
      lighthouse: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
      film: { type: 'string' },
    },
  });
  if (values.write && values.only) throw new TypeError('--write needs all pages: leave out --only');
  return {
    rounds: wholeNumber('rounds', values.rounds, 1),
    only: values.only,
    output: resolve(values.output),
    against: values.against === undefined ? null : resolve(values.against),
    cpu: wholeNumber('cpu', values.cpu, 1),
    memoryMinutes: wholeNumber('memory', values.memory, 0),
    photos: wholeNumber('photos', values.photos, 0),
    lighthouse: values.lighthouse,
    writeReadme: values.write,
    profile: values.profile === undefined ? null : resolve(values.profile),
    film: values.film === undefined ? null : resolve(values.film),
  };
}

function wholeNumber(name: string, text: string, min: number): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < min)
    throw new TypeError(`--${name} must be a whole number, ${min} or more`);
  return Number(text);
}
