import { useEffect, useSyncExternalStore } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/*
 * What was typed into a form and not saved, by what the form is about. It lasts for the tab, over reloads, until it is
 * saved or discarded. A draft holds the changed fields alone: the others follow what is saved elsewhere.
 */

const PREFIX = 'draft:';
type Draft = Record<string, unknown>;

/** Files are here alone: they cannot be written to the session storage, and are lost by a reload. */
const drafts = new Map<string, Draft | null>();
const listeners = new Set<() => void>();

/** @returns the values with what the draft changes of them */
export function applyDraft<Values extends FieldValues>(key: string, values: Values): Values {
  const known = Object.entries(readDraft(key) ?? {}).filter(([name]) => name in values);
  return { ...values, ...Object.fromEntries(known) };
}

export function writeDraft(key: string, before: FieldValues, values: FieldValues): void {
  const changed = Object.entries(values).filter(([name, value]) => value !== before[name]);
  write(key, changed.length > 0 ? Object.fromEntries(changed) : null);
}

export function discardDraft(key: string): void {
  write(key, null);
}

/** For when the account is left: the next person at this tab may be another one. */
export function discardAllDrafts(): void {
  drafts.clear();
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
  tellListeners();
}

export function hasDraft(key: string): boolean {
  return readDraft(key) !== null;
}

export function useHasDraft(key: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(key));
}

/** Writes the draft while someone types. */
export function useFormDraft<Values extends FieldValues>(
  key: string,
  form: UseFormReturn<Values>,
  before: Values,
): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => writeDraft(key, before, values),
      }),
    [key, form, before],
  );
}

function readDraft(key: string): Draft | null {
  if (!drafts.has(key)) drafts.set(key, readStored(key));
  return drafts.get(key) ?? null;
}

function readStored(key: string): Draft | null {
  return inStorage((storage) => JSON.parse(storage.getItem(PREFIX + key) ?? 'null') as Draft | null);
}

function write(key: string, draft: Draft | null): void {
  drafts.set(key, draft);
  const texts = Object.entries(draft ?? {}).filter(([, value]) => typeof value === 'string');
  inStorage((storage) => {
    if (texts.length > 0) storage.setItem(PREFIX + key, JSON.stringify(Object.fromEntries(texts)));
    else storage.removeItem(PREFIX + key);
  });
  tellListeners();
}

/** Storage may be switched off or full: then drafts last until the page is left. */
function inStorage<Result>(act: (storage: Storage) => Result): Result | null {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
