import type { MouseEvent, ReactNode } from 'react';
import type { Memory } from '#shared/album/memory';
import { classNames } from '../../../lib/class-names.ts';
import { Photo, type PhotoProps } from '../../photos/photo.tsx';
import { SelectionMark } from '../../../ui/selection-mark.tsx';
import { setJustAdded, useIsJustAdded } from './just-added.ts';
import { useIsSelected } from '../selection/selection.ts';
import { isNarrowColumn, printAspectRatio, printPhotoSizes, printWidthShare } from './print-layout.ts';

interface PrintProps extends Pick<PhotoProps, 'description' | 'sizes' | 'isEager'> {
  memory: Memory;
  /** Gets the button, so that the focus can return to it. Without it the print is not a button. */
  onOpen?: ((memory: Memory, opener: HTMLElement) => void) | undefined;
  verb?: 'Open' | 'View';
  /** Of the container's width, from 0 to 1. Without it `imageClassName` sets the size. */
  widthShare?: number;
  className?: string;
  imageClassName?: string;
}

export function Print({
  memory,
  description,
  onOpen,
  verb = 'Open',
  widthShare,
  className,
  imageClassName,
  ...image
}: PrintProps) {
  const isSelected = useIsSelected(memory.id);
  const isJustAdded = useIsJustAdded(memory.id);
  const frame = 'rounded-print bg-print p-2 shadow-print';
  const style = widthShare === undefined ? undefined : { width: `${widthShare * 100}%` };
  const photo = (
    <Photo
      photo={memory}
      description={description}
      {...image}
      style={{ aspectRatio: printAspectRatio(memory) }}
      className={classNames('rounded-[2px]', imageClassName)}
    />
  );
  if (!onOpen) {
    return (
      <div className={classNames(frame, className)} style={style}>
        {photo}
      </div>
    );
  }
  return (
    <button
      type="button"
      {...(isSelected === null
        ? { 'aria-haspopup': 'dialog', 'aria-label': `${verb} ${description}` }
        : { 'aria-pressed': isSelected, 'aria-label': `Select ${description}` })}
      onClick={({ currentTarget }) => onOpen(memory, currentTarget)}
      className={classNames(
        frame,
        'relative block transition-[translate,box-shadow] duration-200 ease-gentle hover:-translate-y-1 hover:shadow-lifted',
        className,
        isSelected && 'ring-3 ring-accent',
        isJustAdded && 'animate-settle',
      )}
      style={style}
      {...(isJustAdded && { onAnimationEnd: () => setJustAdded(null) })}
    >
      {photo}
      {isSelected !== null && <SelectionMark isSelected={isSelected} />}
    </button>
  );
}

export interface PrintFigureProps extends Pick<PrintProps, 'memory' | 'description' | 'isEager' | 'onOpen'> {
  width: number;
  /** Buttons on the photo. */
  overlay?: ReactNode;
  /** Not centered, with room beside the text. */
  isAtStart?: boolean;
  children: ReactNode;
}

/** A print with the photo's aspect ratio. Prints in a row align at the bottom. */
export function PrintFigure({ width, overlay, isAtStart = false, children, ...print }: PrintFigureProps) {
  return (
    <figure className="group row-span-2 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid">
      <div
        className={classNames(
          'relative self-end transition-[translate] duration-200 ease-gentle',
          !isAtStart && 'mx-auto',
          print.onOpen && 'group-hover:-translate-y-1',
        )}
        style={{ width: `${printWidthShare(print.memory) * 100}%` }}
      >
        <Print
          {...print}
          sizes={printPhotoSizes(print.memory, width)}
          className={classNames('w-full', print.onOpen && 'group-hover:shadow-lifted hover:translate-y-0')}
        />
        {overlay}
      </div>
      <figcaption
        className={classNames(
          'pt-3',
          isNarrowColumn(width) ? 'pb-5' : 'pb-8',
          isAtStart ? 'flex' : 'text-center',
        )}
      >
        {children}
      </figcaption>
    </figure>
  );
}

interface CaptionProps {
  memory: Memory;
  untitled: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  className: string;
}

export function Caption({ memory, untitled, onClick, className }: CaptionProps) {
  return (
    <p
      dir="auto"
      onClick={onClick}
      className={classNames(
        'font-display font-medium wrap-anywhere',
        !memory.caption && 'text-muted italic',
        className,
      )}
    >
      {memory.caption || untitled}
    </p>
  );
}

/** Opens the memory when its text is clicked. The text is no button, so it stays selectable and adds no tab stop. Its links keep their clicks. */
export function openByText({ currentTarget, target }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a')) return;
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.closest('li, [role="listitem"]')?.querySelector('button')?.click();
}
