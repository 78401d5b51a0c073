import { UNTITLED_MEMORY, type Memory } from '#shared/album/memory';
import { splitMemoryDate } from '#shared/dates/calendar-date';
import { formatAge, formatShortMemoryDate, toLocalDay } from '../../../lib/dates.ts';
import { classNames } from '../../../lib/class-names.ts';
import { isTouch } from '../../../lib/browser/is-touch.ts';
import { IconButton, type IconButtonProps } from '../../../ui/buttons/icon-button.tsx';
import { PencilIcon } from '../../../ui/icons.tsx';
import type { MemoryActions } from '../details/use-memory-dialog.ts';
import { LikeHeart } from '../like-heart.tsx';
import { MemoryMenu } from '../memory-menu.tsx';
import { Caption, openByText, Print, PrintFigure } from '../print/memory-print.tsx';
import { isNarrowColumn, listPhotoSizes } from '../print/print-layout.ts';
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
  const card = { memory, description, actions };
  return (
    <PrintFigure
      memory={memory}
      description={description}
      width={width}
      isEager={isEager}
      onOpen={actions.open}
      overlay={
        <>
          <LoveButton
            {...card}
            tone="onPhoto"
            className={classNames('absolute right-1 bottom-1', !isTouch() && !memory.isLiked && shownOnHover)}
          />
          {!isTouch() && (
            <>
              <EditButton
                {...card}
                tone="onPhoto"
                className={classNames('absolute top-1 right-12', shownOnHover)}
              />
              <CardMenu
                {...card}
                tone="onPhoto"
                className={classNames('absolute top-1 right-1', shownOnHover)}
              />
            </>
          )}
        </>
      }
      isAtStart={isTouch()}
    >
      {/* A click anywhere beside the buttons opens the memory. */}
      <div onClick={openByText} className="min-w-0 flex-1 cursor-pointer">
        <Caption
          memory={memory}
          untitled={UNTITLED_MEM}
          className={classNames('text-body', isNarrowColumn(width) ? 'truncate' : 'line-clamp-2')}
        />
        <Age memory={memory} />
      </div>
      {isTouch() && <CardMenu {...card} className="-mr-2.5" />}
    </PrintFigure>
  );
}

function ListRow({ memory, description, isEager = false, actions }: DescribedCardProps) {
  const card = { memory, description, actions };
  const hidden = isTouch() ? undefined : shownOnHover;
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
      <div className="-my-3 flex shrink-0 flex-col in-data-selecting:invisible max-sm:-mr-2.5 sm:flex-row">
        <CardMenu {...card} className={hidden} />
        {!isTouch() && <EditButton {...card} className={hidden} />}
        <LoveButton {...card} />
      </div>
    </article>
  );
}

/** The age, and the day taken if that is another than the day of adding. In one line: what does not fit is left out. */
function Age({ memory: { memoryDate, createdAt } }: { memory: Memory }) {
  const day = memoryDate && splitMemoryDate(memoryDate).day;
  const taken = day && day !== toLocalDay(createdAt) && formatShortMemoryDate(day);
  const age = formatAge(createdAt);
  return (
    <p className="h-5 overflow-hidden text-small text-muted tabular-nums">
      {taken ? `${unbroken(taken)} ${unbroken(`· ${age}`)}` : age}
    </p>
  );
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Hidden until hover or focus, unless a finger can tap, too: it does not hover, and would press what is not seen. */
const shownOnHover =
  'transition-[opacity,background-color,color] duration-150 hoverable:opacity-0 group-hover:opacity-100 group-has-focus-visible:opacity-100 aria-expanded:opacity-100';

type CardButtonProps = Pick<DescribedCardProps, 'memory' | 'description' | 'actions'> &
  Pick<IconButtonProps, 'tone' | 'className'>;

function LoveButton({ memory, description, actions, className, tone }: CardButtonProps) {
  return (
    <IconButton
      aria-pressed={memory.isLiked}
      name={`Love ${description}`}
      tone={tone}
      className={classNames('in-data-selecting:invisible', className)}
      onClick={() => actions.toggleLike(memory)}
    >
      <LikeHeart isLiked={memory.isLiked} />
    </IconButton>
  );
}

function EditButton({ memory, description, actions, className, tone }: CardButtonProps) {
  return (
    <IconButton
      aria-haspopup="dialog"
      name={`Edit ${description}`}
      tone={tone}
      className={classNames('in-data-selecting:invisible', className)}
      onClick={({ currentTarget }) => actions.edit(memory, currentTarget)}
    >
      <PencilIcon className="size-4.5" />
    </IconButton>
  );
}

function CardMenu({ memory, description, actions, className, tone }: CardButtonProps) {
  return (
    <MemoryMenu
      label={`More actions for ${description}`}
      memory={memory}
      tone={tone}
      className={classNames('in-data-selecting:invisible', className)}
      onEdit={isTouch() ? (button) => actions.edit(memory, button) : undefined}
      onShare={() => actions.share(memory)}
      onDelete={() => actions.remove(memory)}
    />
  );
}
