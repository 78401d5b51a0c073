import { Check, CircleAlert, ImageOff, RotateCcw, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Caricature, CARICATURE_STYLE_NAMES, type CaricatureStatus } from '#shared/album/caricature';
import { classNames } from '../../lib/class-names.ts';
import { formatAge } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import type { MenuItem } from '../../ui/menus/menu-item.ts';
import { Menu } from '../../ui/menus/menu.tsx';
import { toImageSources } from '../../lib/image-sources.ts';
import { Photo } from '../photos/photo.tsx';
import { generatorNames } from './generate/generator-names.ts';
import { Badge } from '../../ui/badge.tsx';
import { GeneratingPhoto } from './generate/generating-photo.tsx';
import { toCardMessage, canRetry } from './failure-messages.ts';

const SIZES = '(min-width: 1024px) 270px, (min-width: 640px) 30vw, 45vw';
const printClasses = 'block w-full rounded-print bg-print p-2 shadow-print';
const imageClasses = 'aspect-square rounded-[2px]';
const GENERATING = 'Creating magic...';

interface CaricatureCardProps {
  caricature: Caricature;
  petName: string;
  isGeneratorShown: boolean;
  isEager: boolean;
  menu: MenuItem[];
  onOpen: () => void;
  /** Null while caricatures are turned off. */
  onRetry: (() => void) | null;
}

export function CaricatureCard({ caricature, petName, isGeneratorShown, menu, ...on }: CaricatureCardProps) {
  const { status, style, artist, createdAt } = caricature;
  const description = `Caricature of ${petName}, ${CARICATURE_STYLE_NAMES[style].toLowerCase()}`;
  return (
    <article
      id={caricatureCardId(caricature)}
      tabIndex={-1}
      aria-label={description}
      className="group min-w-0 rounded-print outline-offset-8"
    >
      <CaricatureImage
        caricature={caricature}
        description={description}
        isEager={on.isEager}
        onOpen={on.onOpen}
      />
      <div className="mt-3 flex items-start justify-between gap-1">
        <div className="min-w-0">
          <p dir="auto" className="truncate font-display font-medium">
            {petName}
          </p>
          <p className="text-small text-muted tabular-nums">
            <time dateTime={createdAt}>{formatAge(createdAt)}</time>
          </p>
        </div>
        <Menu label={`More for ${description}`} className="-mt-1.5 -mr-2.5" items={menu} />
      </div>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <StatusBadge status={status} />
        <span className="text-small text-muted">
          {CARICATURE_STYLE_NAMES[style]}
          {isGeneratorShown && ` · ${generatorNames[artist]}`}
        </span>
      </p>
      {status === 'failed' && <FailureReason caricature={caricature} onRetry={on.onRetry} />}
    </article>
  );
}

export function caricatureCardId({ id }: Pick<Caricature, 'id'>): string {
  return `caricature-${id}`;
}

interface CaricatureImageProps extends Pick<CaricatureCardProps, 'caricature' | 'isEager' | 'onOpen'> {
  description: string;
}

function CaricatureImage({ caricature, description, isEager, onOpen }: CaricatureImageProps) {
  const { status, caricatureImageUrl: imageUrl, originalImageUrl } = caricature;
  if (status === 'completed' && imageUrl)
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Open ${description}`}
        onClick={onOpen}
        className={classNames(
          printClasses,
          'transition-[translate,box-shadow] duration-200 ease-gentle group-hover:-translate-y-1 group-hover:shadow-lifted',
        )}
      >
        <Photo
          photo={{ imageUrl, placeholder: null }}
          description={description}
          isEager={isEager}
          sizes={SIZES}
          className={imageClasses}
        />
      </button>
    );
  if (status === 'generating')
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`${GENERATING} View progress: ${description}`}
        onClick={onOpen}
        className={classNames(printClasses, 'relative')}
      >
        <GeneratingPhoto originalImageUrl={originalImageUrl} sizes={SIZES} className={imageClasses} />
        <ImageLabel>{GENERATING}</ImageLabel>
      </button>
    );
  return (
    <div className={classNames(printClasses, 'relative')}>
      <div className={classNames(imageClasses, 'relative grid place-items-center overflow-hidden bg-well')}>
        {originalImageUrl ? (
          <img
            {...toImageSources(originalImageUrl)}
            sizes={SIZES}
            alt=""
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full object-cover opacity-45 grayscale"
          />
        ) : (
          <ImageOff className="size-8 text-edge" />
        )}
      </div>
      <ImageLabel>
        <h4 className="font-sans text-small font-semibold tracking-normal">Generation failed</h4>
      </ImageLabel>
    </div>
  );
}

function ImageLabel({ children }: { children: ReactNode }) {
  return (
    <span className="absolute inset-x-0 bottom-5 flex justify-center">
      <span className="rounded-full bg-sheet px-3 py-1 text-small font-semibold shadow-print">
        {children}
      </span>
    </span>
  );
}

function FailureReason({ caricature, onRetry }: Pick<CaricatureCardProps, 'caricature' | 'onRetry'>) {
  return (
    <>
      <p className="mt-2 text-small text-pretty">{toCardMessage(caricature)}</p>
      {onRetry && canRetry(caricature) && (
        <Button variant="secondary" size="small" className="mt-2.5 px-4" onClick={onRetry}>
          <RotateCcw className="size-4" />
          Try again
        </Button>
      )}
    </>
  );
}

const badges = {
  completed: { tone: 'sage', name: 'Complete', Icon: Check },
  generating: { tone: 'accent', name: 'Creating...', Icon: Sparkles },
  failed: { tone: 'danger', name: 'Failed', Icon: CircleAlert },
} as const;

function StatusBadge({ status }: { status: CaricatureStatus }) {
  const { tone, name, Icon } = badges[status];
  return (
    <Badge tone={tone}>
      <Icon className="size-3.5 stroke-[2.25]" />
      {name}
    </Badge>
  );
}
