import { useEffect, useSyncExternalStore } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { showToast } from '../../ui/toasts/toast-store.ts';

/* Unsaved form values, in the tab's session storage. Only changed fields: the others show what is saved elsewhere. */

const PREFIX = 'draft:';
type Draft = Record<string, unknown>;

/** Session storage cannot hold files: they are only here, and are lost by a reload. */
const drafts = new Map<string, Draft | null>();
const listeners = new Set<() => void>();

export function applyDraft<Values extends FieldValues>(key: string, values: Values): Values {
  const changed = Object.entries(readDraft(key) ?? {}).filter(([name]) => name in values);
  return { ...values, ...Object.fromEntries(changed) };
}

export function writeDraft(key: string, before: FieldValues, values: FieldValues): void {
  const changed = Object.entries(values).filter(([name, value]) => value !== before[name]);
  write(key, changed.length > 0 ? Object.fromEntries(changed) : null);
}

export function discardDraft(key: string): void {
  write(key, null);
}

/** On logout, and before another user's pages. */
export function discardAllDrafts(): void {
  drafts.clear();
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
  notifyListeners();
}

export function hasDraft(key: string): boolean {
  return readDraft(key) !== null;
}

export function useHasDraft(key: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(key));
}

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

export function showDraftSaved(): void {
  showToast({ title: 'Draft saved', description: 'Your changes will be here next time.' });
}

export function RestoredDraftNotice() {
  return (
    <p role="status" className="border-l-2 border-sage pl-4 text-small">
      Your unsaved changes are still here. Save them, or cancel to discard them.
    </p>
  );
}

function readDraft(key: string): Draft | null {
  if (!drafts.has(key)) drafts.set(key, readStored(key));
  return drafts.get(key) ?? null;
}

function readStored(key: string): Draft | null {
  return withStorage((storage) => JSON.parse(storage.getItem(PREFIX + key) ?? 'null') as Draft | null);
}

function write(key: string, draft: Draft | null): void {
  drafts.set(key, draft);
  const texts = Object.entries(draft ?? {}).filter(([, value]) => typeof value === 'string');
  withStorage((storage) => {
    if (texts.length > 0) storage.setItem(PREFIX + key, JSON.stringify(Object.fromEntries(texts)));
    else storage.removeItem(PREFIX + key);
  });
  notifyListeners();
}

/** If storage is switched off or full, drafts last until the page is closed. */
function withStorage<Result>(act: (storage: Storage) => Result): Result | null {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
