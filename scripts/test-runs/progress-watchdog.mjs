import { stripVTControlCharacters } from 'node:util';

/** How the reporters of Vitest and Playwright begin a line about a finished test or file. */
const FINISHED = /^\s*(?:[✓✔✘×❯↓-]|ok|x)\s/;

/** Aborts when no test has finished for `stallMs`. A limit on the total would fail slow runs that make progress. */
export function watchProgress(stallMs) {
  const controller = new AbortController();
  const stall = () => controller.abort();
  let timer = setTimeout(stall, stallMs);
  return {
    abort: controller.signal,
    filter(line) {
      if (FINISHED.test(stripVTControlCharacters(line))) {
        clearTimeout(timer);
        timer = setTimeout(stall, stallMs);
      }
      return true;
    },
    stop: () => clearTimeout(timer),
  };
}
