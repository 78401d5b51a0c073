import { useEffect, useSyncExternalStore } from 'react';
import { readStored, writeStored } from './local-storage.ts';

type ThemeChoice = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'theme';
const PAPER = { light: '#f7f0e4', dark: '#1c1512' };
const listeners = new Set<() => void>();
let choice: ThemeChoice = readChoice();

/** Stored in this browser. public/theme.js applies it before the first paint. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, getChoice, getChoice), choose];
}

export function useThemeFollowsSystem(): void {
  useEffect(() => {
    const system = systemTheme();
    const onStorage = (event: StorageEvent) => event.key === STORAGE_KEY && set(readChoice());
    system.addEventListener('change', apply);
    window.addEventListener('storage', onStorage);
    return () => {
      system.removeEventListener('change', apply);
      window.removeEventListener('storage', onStorage);
    };
  }, []);
}

const getChoice = () => choice;

function choose(next: ThemeChoice): void {
  writeStored(STORAGE_KEY, next);
  set(next);
}

function set(next: ThemeChoice): void {
  choice = next;
  apply();
}

function apply(): void {
  document.documentElement.dataset['theme'] = scheme();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[scheme()]);
  for (const listener of listeners) listener();
}

function scheme(): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return systemTheme().matches ? 'dark' : 'light';
}

function systemTheme(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

function readChoice(): ThemeChoice {
  const stored = readStored(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
