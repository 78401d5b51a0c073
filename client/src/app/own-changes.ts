import type { MutationCacheNotifyEvent, QueryClient } from '@tanstack/react-query';

/** An event that has not come by then is not coming: the change had changed nothing. */
const LONGEST_WAY_MS = 10_000;

/**
 * What was changed in this tab. It shows that already, and each such change comes back as one event: one more event
 * of the same thing is somebody else's.
 */
export class OwnChanges {
  #made: { id: string; at: number }[] = [];
  readonly stop: () => void;

  constructor(queryClient: QueryClient) {
    this.stop = queryClient.getMutationCache().subscribe((event) => this.#note(event));
  }

  /** What others have changed, by the ids of all that was changed, each as often as that was heard. */
  without(ids: string[] | 'many'): string[] | 'many' {
    if (ids === 'many') return ids;
    const oldest = performance.now() - LONGEST_WAY_MS;
    this.#made = this.#made.filter(({ at }) => at >= oldest);
    return [...new Set(ids.filter((id) => !this.#isOwn(id)))];
  }

  #isOwn(id: string): boolean {
    const index = this.#made.findIndex((each) => each.id === id);
    if (index < 0) return false;
    this.#made.splice(index, 1);
    return true;
  }

  #note(event: MutationCacheNotifyEvent): void {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { data, variables } = event.mutation.state as { data: unknown; variables: unknown };
    const id = idOf(data) ?? idOf(variables);
    if (id !== undefined) this.#made.push({ id, at: performance.now() });
  }
}

/** Of what was answered, of what was sent, or sent alone. */
function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}
