/** The place in its list of the memory that a button belongs to. */
export function placeOf(button: HTMLElement): number {
  return Number(button.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0);
}

/** The list of memories around a button: a page may show two. */
export function listAround(button: HTMLElement): HTMLElement | null {
  return button.closest<HTMLElement>('[data-memory-list]');
}

/** What takes the focus where a memory has left its list: the one in its place, else the one before, else the heading. */
export function findStandIn(place: number, list: HTMLElement | null): HTMLElement | null {
  const within = list?.isConnected ? list : document;
  const buttons = [place, place - 1].map((at) =>
    within.querySelector<HTMLElement>(`[aria-posinset="${at}"] button`),
  );
  return (
    buttons.find((button) => button !== null) ??
    document.querySelector<HTMLElement>('h1[tabindex]') ??
    document.getElementById('main')
  );
}
