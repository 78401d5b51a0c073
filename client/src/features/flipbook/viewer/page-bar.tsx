import { ChevronLeft, ChevronRight } from 'lucide-react';
import { flipbookPageAt, type FlipbookPage } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { whenText } from '../../memories/memory-text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { isLoadedMemory, useMemory, type LoadedMemory } from '../../memories/store/memory-store.ts';
import type { Spread } from '../spreads.ts';

interface PageBarProps {
  spread: Spread;
  total: number;
  onTurn: (direction: 1 | -1) => void;
  onJump: (page: number) => void;
}

export function PageBar({ spread, total, onTurn, onJump }: PageBarProps) {
  return (
    <nav
      aria-label="Pages"
      className="mx-auto flex w-full max-w-lg items-center gap-3 px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:gap-5 short:pt-1"
    >
      <Button
        variant="secondary"
        disabled={spread.first === 0}
        onClick={() => onTurn(-1)}
        className={turnButton}
      >
        <ChevronLeft className="-ml-2" />
        Prev
      </Button>
      <div className="min-w-0 flex-1">
        <p aria-hidden className="mb-1 text-center text-small text-muted tabular-nums short:mb-0">
          {formatSpread(spread, total)}
        </p>
        <Progress spread={spread} total={total} onJump={onJump} />
      </div>
      <Button
        variant="secondary"
        disabled={spread.last === total - 1}
        onClick={() => onTurn(1)}
        className={turnButton}
      >
        Next
        <ChevronRight className="-mr-2" />
      </Button>
    </nav>
  );
}

const turnButton = 'disabled:pointer-events-none disabled:opacity-45';

function Progress({ spread, total, onJump }: Pick<PageBarProps, 'spread' | 'total' | 'onJump'>) {
  const share = spread.last / (total - 1);
  return (
    <div className="relative flex h-8 items-center">
      <div
        role="progressbar"
        aria-label="Reading progress"
        aria-valuemin={1}
        aria-valuemax={total}
        aria-valuenow={spread.last + 1}
        className="h-1.5 w-full overflow-hidden rounded-full bg-hairline"
      >
        <div className="h-full origin-left bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
      <input
        type="range"
        aria-label="Page"
        aria-valuetext={formatSpread(spread, total)}
        min={1}
        max={total}
        value={spread.last + 1}
        onChange={(event) => onJump(Number(event.target.value) - 1)}
        className="book-slider absolute inset-x-0 -inset-y-1.5 h-11 w-full cursor-pointer"
      />
    </div>
  );
}

/** `Page 1 of 8`, `Pages 2–3 of 8` */
function formatSpread({ first, last }: Spread, total: number): string {
  return first === last ? `Page ${first + 1} of ${total}` : `Pages ${first + 1}–${last + 1} of ${total}`;
}

type PageAnnouncementProps = Pick<PageBarProps, 'spread' | 'total'> & { title: string; memoryIds: string[] };

export function PageAnnouncement({ title, spread, total, memoryIds }: PageAnnouncementProps) {
  const { first, last } = spread;
  const memories = memoryIds.length;
  const pages = [flipbookPageAt(first, memories), ...(last > first ? [flipbookPageAt(last, memories)] : [])];
  // Two facing pages are of one memory.
  const caption = pages.find((page) => page.kind === 'caption');
  const memory = useMemory(caption ? memoryIds[caption.memory]! : '');
  const texts = pages.map((page) =>
    page.kind === 'cover'
      ? `${title}, ${flipbookTexts.count(memories)}`
      : describePage(page, memories, memory),
  );
  return (
    <p role="status" className="sr-only">
      {[formatSpread(spread, total), ...texts].join('. ')}
    </p>
  );
}

function describePage(
  page: Exclude<FlipbookPage, { kind: 'cover' }>,
  memories: number,
  memory: LoadedMemory,
): string {
  const { end, position } = flipbookTexts;
  if (page.kind === 'end') return end;
  if (page.kind === 'photo') return `${position(page.memory, memories)}, photo`;
  return isLoadedMemory(memory)
    ? [memory.caption || flipbookTexts.untitled, ...memory.tags, whenText(memory)].join(', ')
    : 'Loading...';
}
