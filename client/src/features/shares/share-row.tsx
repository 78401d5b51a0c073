import type { Share } from '#shared/album/share';
import { classNames } from '../../lib/class-names.ts';
import { formatShortDate } from '../../lib/dates.ts';
import { truncateText, UNTITLED_MEM } from '../../lib/memory-title.ts';
import { buttonClasses, Button } from '../../ui/buttons/button.tsx';
import { copyLink } from '../../ui/links/copy-link.ts';
import { Photo } from '../photos/photo.tsx';

const MAX_NAME_LENGTH = 90;

export function shareRowId({ id }: Pick<Share, 'id'>): string {
  return `share-${id}`;
}

interface ShareRowProps {
  share: Share;
  onStop: () => void;
}

export function ShareRow({ share, onStop }: ShareRowProps) {
  const fallback = share.caricatureId ? 'Caricature' : UNTITLED_MEM;
  const name = share.caption ? truncateText(share.caption, MAX_NAME_LENGTH) : fallback;
  return (
    <li
      id={shareRowId(share)}
      tabIndex={-1}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 py-4 outline-none sm:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <div className="rounded-print bg-print p-1 shadow-print max-sm:row-span-2 max-sm:self-start">
        <Photo
          photo={{ imageUrl: share.imageUrl, placeholder: null }}
          description=""
          sizes="64px"
          className="size-16 rounded-[2px]"
        />
      </div>
      <div className="min-w-0">
        <h3
          className={classNames(
            'truncate font-sans text-body font-semibold tracking-normal',
            !share.caption && 'text-muted italic',
          )}
        >
          <bdi>{name}</bdi>
        </h3>
        <p className="text-small wrap-anywhere text-muted">
          {share.contactName === null ? (
            'For anyone with the link'
          ) : (
            <>
              In an email to <bdi>{share.contactName}</bdi>
            </>
          )}
          {' · '}
          <time dateTime={share.createdAt}>{formatShortDate(share.createdAt)}</time>
        </p>
      </div>
      <ShareActions name={name} url={share.url} onStop={onStop} />
    </li>
  );
}

function ShareActions({ name, url, onStop }: { name: string; url: string; onStop: () => void }) {
  return (
    <div className="-ml-2 flex flex-wrap gap-x-2">
      <Button
        variant="quiet"
        size="small"
        aria-label={`Copy the link of ${name}`}
        onClick={() => void copyLink(url, 'Open the link and copy its address there.')}
      >
        Copy
      </Button>
      <a
        href={url}
        target="_blank"
        rel="noopener"
        aria-label={`Open the link of ${name} in a new tab`}
        className={buttonClasses({ variant: 'quiet', size: 'small' })}
      >
        Open
      </a>
      <Button variant="quiet" size="small" aria-label={`Stop sharing ${name}`} onClick={onStop}>
        Stop sharing
      </Button>
    </div>
  );
}
