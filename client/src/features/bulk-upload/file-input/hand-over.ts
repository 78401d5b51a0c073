import type { ChosenFile } from '../queue/queued-photo.ts';

let waiting: Promise<ChosenFile[]> | null = null;

/** For files that are dropped on another page, which then opens this one. */
export function handOver(chosen: Promise<ChosenFile[]>): void {
  waiting = chosen;
}

export function takeOver(): Promise<ChosenFile[]> | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
