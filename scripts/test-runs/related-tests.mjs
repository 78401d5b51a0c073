import { dirname } from 'node:path';

/**
 * The nearest tests to a change, by the number of folders that they share with it.
 * @param {string[]} tests @param {string[]} changes relative to the root
 * @param {string[]} long left out unless they were changed themselves
 */
export function nearestTests(tests, changes, limit, long = []) {
  const candidates = tests.filter((test) => changes.includes(test) || !long.includes(test));
  const nearness = (test) => Math.max(0, ...changes.map((file) => sharedFolders(test, file)));
  return candidates.toSorted((a, b) => nearness(b) - nearness(a)).slice(0, limit);
}

function sharedFolders(a, b) {
  if (a === b) return Infinity;
  const [first, second] = [a, b].map((path) => dirname(path).split('/'));
  const firstOther = first.findIndex((folder, index) => folder !== second[index]);
  return firstOther === -1 ? first.length : firstOther;
}
