/** The list that a memory was opened from. Places count from 0. */
export interface NavigableList {
  /** How many there are, those that are not loaded yet included. */
  count: number;
  /** The id of the memory at a place; undefined while it is not loaded. */
  at: (place: number) => string | undefined;
  /** Why the last try to load some failed; null while there is another, or after one that did not. */
  failure: unknown;
  /** Brings a place into sight behind the dialog, and loads what lies around it. */
  reveal: (place: number) => void;
}

export interface Neighbors {
  /** Of the memory itself; of one that has left the list, where it stood. */
  place: number;
  /** Null at the ends. */
  previous: number | null;
  next: number | null;
}

/** How far from its last place a memory is looked for: others come and go before it, few at a time. */
const SEARCHED = 100;

export function neighborsOf(list: NavigableList, id: string, lastPlace: number): Neighbors {
  const found = findPlace(list, id, lastPlace);
  const place = found ?? lastPlace;
  // What came after one that has left has taken its place.
  const next = found === null ? place : place + 1;
  return { place, previous: place > 0 ? place - 1 : null, next: next < list.count ? next : null };
}

function findPlace(list: NavigableList, id: string, lastPlace: number): number | null {
  for (let distance = 0; distance <= SEARCHED; distance += 1)
    for (const place of [lastPlace - distance, lastPlace + distance]) if (list.at(place) === id) return place;
  return null;
}
