import type { QueryClient } from '@tanstack/react-query';
import { TRASH_DAYS } from '#shared/album/memory';
import { currentToast, dismissToast, showToast } from '../../../ui/toasts/toast-store.ts';
import { subscribeToRestored } from '../store/memory-store.ts';

interface UndoToast {
  title: (count: number) => string;
  onUndo: (ids: readonly string[]) => void;
}

/** A toast about deleted memories. Those that are restored elsewhere leave it, and the last one dismisses it. */
export class UndoOffer {
  #ids: readonly string[] = [];
  #toastId = 0;
  readonly #unsubscribe: () => void;

  constructor(client: QueryClient, ids: readonly string[], toast: UndoToast) {
    this.#show(ids, toast);
    this.#unsubscribe = subscribeToRestored(client, (restored) => {
      const before = this.ids;
      const left = before.filter((id) => !restored.includes(id));
      if (left.length === 0) this.end();
      if (left.length === before.length) return;
      if (left.length > 0) this.#show(left, toast);
      else dismissToast(this.#toastId);
    });
  }

  /** Empty once its toast is gone. */
  get ids(): readonly string[] {
    return currentToast()?.id === this.#toastId ? this.#ids : [];
  }

  /** No longer follows what is restored: another offer has its memories. */
  end(): void {
    this.#unsubscribe();
  }

  #show(ids: readonly string[], { title, onUndo }: UndoToast): void {
    this.#ids = ids;
    this.#toastId = showToast({
      title: title(ids.length),
      description: `Kept for ${TRASH_DAYS} days.`,
      action: { name: 'Undo', onPress: () => onUndo(ids) },
    });
  }
}
