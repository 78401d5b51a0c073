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

/**
 * When memories leave a list, the mounted tiles of the others move to their new places instead of jumping. A class, since
 * only `getSnapshotBeforeUpdate` can measure the old places.
 */
export class CloseGap extends Component<CloseGapProps> {
  #animations: Animation[] = [];

  override getSnapshotBeforeUpdate({ ids, listKey }: CloseGapProps): Places | null {
    if (listKey !== this.props.listKey || !hasLost(ids, this.props.ids) || prefersReducedMotion())
      return null;
    return this.#measure(ids);
  }

  override componentDidUpdate(_: CloseGapProps, __: unknown, before: Places | null): void {
    if (!before) return;
    // Those of a removal just before would move the new places.
    for (const animation of this.#animations) animation.cancel();
    this.#animations = [];
    for (const [id, { tile, x, y }] of this.#measure(this.props.ids)) {
      const old = before.get(id);
      if (!old || (old.x === x && old.y === y)) continue;
      const animation = tile.animate(
        { translate: [`${old.x - x}px ${old.y - y}px`, '0 0'] },
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

/** Some of the memories, not all: those are another list's. */
function hasLost(before: readonly string[], ids: readonly string[]): boolean {
  if (before === ids) return false;
  const left = new Set(ids);
  const lost = before.filter((id) => !left.has(id)).length;
  return lost > 0 && lost < before.length;
}
