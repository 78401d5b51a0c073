/** Both ends included. */
export function idsBetween(ids: readonly string[], one: number, other: number): string[] {
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}
