import { Component, type RefObject } from 'react';
import { prefersReducedMotion } from '../../../lib/reduced-motion.ts';
import { positionInList } from '../../../ui/focus.ts';

const DURATION_MS = 220;
const EASING = 'cubic-bezier(0.2, 0.7, 0.2, 1)';

interface CloseGapProps {
  ids: readonly string[];
  /** Another list, as of another filter, may have fewer memories without a gap. */
  listKey: string | undefined;
  list: RefObject<HTMLElement | null>;
}

type Places = Map<string, { tile: HTMLElement; x: number; y: number }>;
type Snapshot = { places: Places; returned: Set<string> };

/**
 * When memories leave a list, or come back to it by undo, the mounted tiles of the others move to their new places instead of
 * jumping. A class, since only `getSnapshotBeforeUpdate` can measure the old places.
 */
export class CloseGap extends Component<CloseGapProps> {
  #animations: Animation[] = [];
  #removed = new Set<string>();

  override getSnapshotBeforeUpdate({ ids: before, listKey }: CloseGapProps): Snapshot | null {
    const { ids } = this.props;
    if (before === ids) return null;
    const remaining = new Set(ids);
    const lost = before.filter((id) => !remaining.has(id));
    // All of them: the others are another list's.
    if (listKey !== this.props.listKey || (lost.length > 0 && lost.length === before.length)) {
      this.#removed.clear();
      return null;
    }
    const returned = new Set(ids.filter((id) => this.#removed.delete(id)));
    for (const id of lost) this.#removed.add(id);
    if (lost.length + returned.size === 0 || prefersReducedMotion()) return null;
    return { places: this.#measure(before), returned };
  }

  override componentDidUpdate(_: CloseGapProps, __: unknown, before: Snapshot | null): void {
    if (!before) return;
    // Those of a removal just before would move the new places.
    for (const animation of this.#animations) animation.cancel();
    this.#animations = [];
    for (const [id, { tile, x, y }] of this.#measure(this.props.ids)) {
      const old = before.places.get(id);
      const isMoved = old && (old.x !== x || old.y !== y);
      if (!isMoved && !before.returned.has(id)) continue;
      const animation = tile.animate(
        isMoved ? { translate: [`${old.x - x}px ${old.y - y}px`, '0 0'] } : { opacity: [0, 1] },
        { duration: DURATION_MS, easing: EASING },
      );
      this.#animations.push(animation);
    }
  }

  override render() {
    return null;
  }

  #measure(ids: readonly string[]): Places {
    const tiles = this.props.list.current?.querySelectorAll<HTMLElement>('[aria-posinset]') ?? [];
    return new Map(
      [...tiles].flatMap((tile) => {
        const { x, y } = tile.getBoundingClientRect();
        const id = ids[positionInList(tile) - 1];
        return id === undefined ? [] : [[id, { tile, x, y }]];
      }),
    );
  }
}
