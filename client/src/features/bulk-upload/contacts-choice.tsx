import { useState } from 'react';
import { MAX_BATCH_EMAIL_PHOTOS } from '#shared/transfers/batch';
import { toImageSources } from '../../lib/image-sources.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SelectionMark } from '../../ui/selection-mark.tsx';
import { nameOf, type QueuedPhoto } from './queue/queued-photo.ts';

/** So many to choose from: more would be a gallery of its own. */
const SHOWN = 60;

interface ContactsChoiceProps {
  photos: readonly QueuedPhoto[];
  isMain: boolean;
  isPending: boolean;
  onFinish: (memoryIds: string[]) => void;
}

export function ContactsChoice({ photos, isMain, isPending, onFinish }: ContactsChoiceProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    if (next.size <= MAX_BATCH_EMAIL_PHOTOS) setChosen(next);
  };
  return (
    <div className="mt-6">
      <h3 className="text-lead">Show your contacts a few?</h3>
      <p className="mt-1 max-w-xl text-muted">
        They get no email about so many photos. Choose up to {MAX_BATCH_EMAIL_PHOTOS} for one email, or none.
      </p>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
        {photos.slice(0, SHOWN).map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              aria-pressed={chosen.has(photo.memoryId ?? '')}
              aria-label={nameOf(photo)}
              onClick={() => toggle(photo.memoryId ?? '')}
              className="group relative block aspect-square w-full rounded-print bg-print p-1 shadow-print"
            >
              <Thumbnail photo={photo} className="size-full" />
              <SelectionMark isSelected={chosen.has(photo.memoryId ?? '')} />
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-5 flex gap-3 max-sm:flex-col">
        <Button
          variant={isMain ? 'primary' : 'secondary'}
          onClick={() => onFinish([...chosen])}
          disabled={chosen.size === 0}
          isPending={isPending}
          pendingText="Finishing..."
        >
          Send one email {chosen.size > 0 && `with ${chosen.size}`}
        </Button>
        <Button variant="secondary" onClick={() => onFinish([])}>
          Finish without an email
        </Button>
      </div>
    </div>
  );
}

export function Thumbnail({ photo, className }: { photo: Pick<QueuedPhoto, 'imageUrl'>; className: string }) {
  if (!photo.imageUrl) return <span className={`block rounded-[2px] bg-hairline ${className}`} />;
  const { src } = toImageSources(photo.imageUrl);
  return <img src={src} alt="" loading="lazy" className={`rounded-[2px] object-cover ${className}`} />;
}
