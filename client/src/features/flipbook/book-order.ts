/** The chosen memories as a book tells them: the oldest first. */
export function inBookOrder(newestFirst: string[], chosen: ReadonlySet<string>): string[] {
  return newestFirst.filter((id) => chosen.has(id)).reverse();
}
