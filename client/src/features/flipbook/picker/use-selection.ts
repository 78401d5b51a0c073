import { useState } from 'react';

/** Which of a list are chosen. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** @param isRange everything since the last one that was toggled follows it */
  toggle: (id: string, isRange: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
}

export function useSelection(ids: string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [lastToggled, setLastToggled] = useState<string>();
  return {
    chosen,
    toggle: (id, isRange) => {
      setChosen(withToggled(chosen, id, isRange && lastToggled ? between(ids, lastToggled, id) : [id]));
      setLastToggled(id);
    },
    chooseAll: () => setChosen(new Set(ids)),
    clear: () => setChosen(new Set()),
  };
}

/** All of them become what the one was not. */
function withToggled(chosen: ReadonlySet<string>, id: string, all: string[]): ReadonlySet<string> {
  const toggled = new Set(chosen);
  for (const each of all) {
    if (chosen.has(id)) toggled.delete(each);
    else toggled.add(each);
  }
  return toggled;
}

/** Both ends included, whichever comes first. */
function between(ids: string[], one: string, other: string): string[] {
  const ends = [ids.indexOf(one), ids.indexOf(other)];
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}
