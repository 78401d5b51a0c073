/*
 * The small things that the browser keeps of an upload that may be cut off. They belong to one person each, and go when
 * anyone logs out.
 */

const PREFIX = 'upload-';

export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage that is switched off or full keeps nothing: then there is nothing to restore.
  }
}

export function forgetAllKept(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
