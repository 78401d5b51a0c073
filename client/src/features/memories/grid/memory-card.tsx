import { Share2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { UNTITLED_MEMORY, type Memory } from '#shared/memory';
import { splitMemoryDate } from '#shared/calendar-date';
import { formatAge, formatShortMemoryDate, toLocalDay } from '../../../lib/dates.ts';
import { classNames } from '../../../lib/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { HeartIcon, PencilIcon } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MemoryActions } from '../details/use-memory-dialog.ts';
import { Caption, openByText, Print, PrintFigure } from '../memory-print.tsx';
import { listPhotoSizes } from './grid-layout.ts';
import { UNTITLED_MEM } from '../../../lib/memory-title.ts';
import { useImageDescription } from '../memory-text.ts';

export interface MemoryCardProps {
  memory: Memory;
  mode: 'grid' | 'list';
  width: number;
  isEager?: boolean;
  actions: MemoryActions;
}

export function MemoryCard({ mode, ...props }: MemoryCardProps) {
  const description = useImageDescription(props.memory);
  const card = { ...props, description };
  return mode === 'grid' ? <PrintCard {...card} /> : <ListRow {...card} />;
}

type DescribedCardProps = Omit<MemoryCardProps, 'mode'> & { description: string };

function PrintCard({ memory, description, width, isEager = false, actions }: DescribedCardProps) {
  return (
    <PrintFigure
      memory={memory}
      description={description}
      width={width}
      isEager={isEager}
      onOpen={actions.open}
    >
      <Caption
        memory={memory}
        untitled={UNTITLED_MEM}
        onClick={openByText}
        className="line-clamp-2 cursor-pointer text-body"
      />
      <div className="flex items-center justify-center gap-1 in-data-selecting:invisible">
        <CardButtons memory={memory} description={description} actions={actions}>
          <Age memory={memory} />
        </CardButtons>
      </div>
    </PrintFigure>
  );
}

function ListRow({ memory, description, isEager = false, actions }: DescribedCardProps) {
  return (
    <article className="group flex items-center gap-4 border-b border-hairline py-4">
      <Print
        memory={memory}
        description={description}
        onOpen={actions.open}
        isEager={isEager}
        sizes={listPhotoSizes(memory)}
        className="shrink-0 p-1.5 transition-shadow group-hover:shadow-lifted hover:translate-y-0"
        imageClassName="size-24"
      />
      <div onClick={openByText} className="min-w-0 flex-1 cursor-pointer self-stretch py-1">
        <Caption memory={memory} untitled={UNTITLED_MEMORY} className="line-clamp-2 text-body" />
        {memory.tags.length > 0 && (
          <p dir="auto" className="truncate text-small text-muted">
            {memory.tags.join(', ')}
          </p>
        )}
        <Age memory={memory} />
      </div>
      <div className="grid shrink-0 grid-cols-2 in-data-selecting:invisible sm:flex">
        <CardButtons memory={memory} description={description} actions={actions} />
      </div>
    </article>
  );
}

/** The age, and the day taken if that is another than the day of adding. */
function Age({ memory: { memoryDate, createdAt } }: { memory: Memory }) {
  const day = memoryDate && splitMemoryDate(memoryDate).day;
  const taken = day && day !== toLocalDay(createdAt) && formatShortMemoryDate(day);
  const age = formatAge(createdAt);
  return <p className="text-small text-muted tabular-nums">{taken ? `${taken} · ${age}` : age}</p>;
}

type CardButtonsProps = Pick<DescribedCardProps, 'memory' | 'description' | 'actions'> & {
  children?: ReactNode;
};

/** @param children placed after the first button */
function CardButtons({ memory, description, actions, children }: CardButtonsProps) {
  return (
    <>
      <IconButton
        aria-pressed={memory.isLiked}
        name={`Love ${description}`}
        onClick={() => actions.toggleLike(memory)}
      >
        <LikeHeart isLiked={memory.isLiked} />
      </IconButton>
      {children}
      <IconButton
        aria-haspopup="dialog"
        name={`Edit ${description}`}
        onClick={({ currentTarget }) => actions.edit(memory, currentTarget)}
      >
        <PencilIcon className="size-4.5" />
      </IconButton>
      <Menu
        label={`Share or delete ${description}`}
        items={[
          { name: 'Share', Icon: Share2, onChoose: () => actions.share(memory) },
          { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: () => actions.remove(memory) },
        ]}
      />
    </>
  );
}

interface LikeHeartProps {
  isLiked: boolean;
  /** In the color of the button's text. */
  isOnAccent?: boolean;
}

export function LikeHeart({ isLiked, isOnAccent = false }: LikeHeartProps) {
  return (
    <HeartIcon
      className={classNames(
        'transition-[scale,fill,color] duration-200 ease-gentle',
        isLiked && 'scale-110',
        isLiked && (isOnAccent ? 'fill-current' : 'fill-accent text-accent'),
      )}
    />
  );
}
