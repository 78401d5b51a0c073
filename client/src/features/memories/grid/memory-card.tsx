import type { Memory } from '#shared/memory';
import { ageLabel } from '../../../lib/dates.ts';
import { classNames } from '../../../lib/class-names.ts';
import { aspectOf } from '../memory-aspect.ts';
import { EditButton, LikeButton, MemoryMenu } from './memory-card-buttons.tsx';
import { MemoryImage } from '../memory-image.tsx';
import { openByText } from '../open-by-text.ts';
import type { RenderCard } from './memory-grid-row.tsx';
import { useImageDescription } from '../use-image-description.ts';

export interface MemoryCardProps {
  memory: Memory;
  mode: 'grid' | 'list';
  /** How wide the whole card is on the screen. */
  width: number;
  isEager?: boolean;
  /** Given the button that was pressed, for the focus to come back to. */
  onOpen: (opener: HTMLElement) => void;
  onEdit: (opener: HTMLElement) => void;
  onLike: () => void;
  onShare: () => void;
  onDelete: () => void;
}

/** What can be done with each memory. The button that was pressed gets the focus back afterwards. */
interface MemoryActions {
  onOpen: (memory: Memory, opener: HTMLElement) => void;
  onEdit: (memory: Memory, opener: HTMLElement) => void;
  onLike: (memory: Memory) => void;
  onShare: (memory: Memory) => void;
  onDelete: (memory: Memory) => void;
}

/** For a grid. */
export function memoryCards(
  mode: MemoryCardProps['mode'],
  { onOpen, onEdit, onLike, onShare, onDelete }: MemoryActions,
): RenderCard {
  return (memory, size) => (
    <MemoryCard
      {...size}
      memory={memory}
      mode={mode}
      onOpen={(opener) => onOpen(memory, opener)}
      onEdit={(opener) => onEdit(memory, opener)}
      onLike={() => onLike(memory)}
      onShare={() => onShare(memory)}
      onDelete={() => onDelete(memory)}
    />
  );
}

/** One memory: a print in the album's grid, or a line of a list. */
export function MemoryCard(props: MemoryCardProps) {
  return props.mode === 'grid' ? <Print {...props} /> : <Line {...props} />;
}

/** In the shape that the photo has: upright and lying ones share a page, standing on one line. */
function Print({ memory, width, isEager = false, onOpen, onEdit, onLike, ...on }: MemoryCardProps) {
  const description = useImageDescription(memory);
  const aspect = aspectOf(memory);
  const widthShare = Math.min(1, aspect);
  return (
    <figure className="group row-span-2 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid">
      <div className="flex items-end justify-center">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`Open ${description}`}
          onClick={(event) => onOpen(event.currentTarget)}
          className="block rounded-print bg-print p-2 shadow-print transition-[translate,box-shadow] duration-200 ease-settle group-hover:-translate-y-1 group-hover:shadow-lifted"
          style={{ width: `${widthShare * 100}%` }}
        >
          <MemoryImage
            memory={memory}
            isEager={isEager}
            sizes={`${Math.round(widthShare * width)}px`}
            style={{ aspectRatio: aspect }}
            className="rounded-[2px]"
          />
        </button>
      </div>
      <figcaption className="pt-3 pb-8 text-center">
        <div onClick={openByText} className="cursor-pointer">
          <Caption memory={memory} untitled="Untitled Mem" />
        </div>
        <div className="flex items-center justify-center gap-1">
          <LikeButton memory={memory} onLike={onLike} />
          <Age memory={memory} />
          <EditButton memory={memory} onEdit={onEdit} />
          <MemoryMenu memory={memory} onShare={on.onShare} onDelete={on.onDelete} />
        </div>
      </figcaption>
    </figure>
  );
}

function Line({ memory, isEager = false, onOpen, onEdit, onLike, onShare, onDelete }: MemoryCardProps) {
  const description = useImageDescription(memory);
  return (
    <article className="group flex items-center gap-4 border-b border-hairline py-4">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Open ${description}`}
        onClick={(event) => onOpen(event.currentTarget)}
        className="shrink-0 rounded-print bg-print p-1.5 shadow-print transition-shadow duration-200 ease-settle group-hover:shadow-lifted"
      >
        <MemoryImage memory={memory} isEager={isEager} sizes="96px" className="size-24 rounded-[2px]" />
      </button>
      <div onClick={openByText} className="min-w-0 flex-1 cursor-pointer self-stretch py-1">
        <Caption memory={memory} untitled="Untitled Memory" />
        {memory.tags.length > 0 && (
          <p dir="auto" className="truncate text-small text-muted">
            {memory.tags.join(', ')}
          </p>
        )}
        <Age memory={memory} />
      </div>
      <div className="grid shrink-0 grid-cols-2 sm:flex">
        <LikeButton memory={memory} onLike={onLike} />
        <EditButton memory={memory} onEdit={onEdit} />
        <MemoryMenu memory={memory} onShare={onShare} onDelete={onDelete} />
      </div>
    </article>
  );
}

function Caption({ memory, untitled }: { memory: Memory; untitled: string }) {
  return (
    <p
      dir="auto"
      className={classNames(
        'line-clamp-2 font-display text-body font-medium wrap-anywhere',
        !memory.caption && 'text-muted italic',
      )}
    >
      {memory.caption || untitled}
    </p>
  );
}

function Age({ memory }: { memory: Memory }) {
  return (
    <p className="text-small text-muted tabular-nums">
      <time dateTime={memory.createdAt}>{ageLabel(memory.createdAt)}</time>
    </p>
  );
}
