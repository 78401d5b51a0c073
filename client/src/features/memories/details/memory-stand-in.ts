/** The place in its list of the memory that a button belongs to. */
export function placeOf(button: HTMLElement): number {
  return Number(button.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0);
}

/** What takes the focus where a memory has left its list: the one in its place, else the one before, else the heading. */
export function findStandIn(place: number): HTMLElement | null {
  const buttons = [place, place - 1].map((at) =>
    document.querySelector<HTMLElement>(`[aria-posinset="${at}"] button`),
  );
  return (
    buttons.find((button) => button !== null) ??
    document.querySelector<HTMLElement>('h1[tabindex]') ??
    document.getElementById('main')
  );
}
