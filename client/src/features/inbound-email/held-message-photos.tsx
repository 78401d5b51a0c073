import { ImageOff } from 'lucide-react';
import { MAX_HELD_PREVIEWS, type HeldMessage } from '#shared/transfers/inbound-email';
import { serverMessage } from '../../lib/api/api-client.ts';
import { classNames } from '../../lib/class-names.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import { useHeldMessagePreviews } from './held-message-api.ts';
import { formatPhotoCount, formatSender } from './held-message-format.ts';

export function HeldMessagePhotos({ message }: { message: HeldMessage }) {
  const { data: previews, error, isPending, isFetching, refetch } = useHeldMessagePreviews(message);
  const { photoCount } = message;
  const frames = Array.from({ length: Math.min(photoCount, MAX_HELD_PREVIEWS) }, (_, index) => index);
  if (!previews && !isPending)
    return (
      <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
        {serverMessage(error) ??
          'The photos could not be loaded. Please check your connection and try again.'}
      </ErrorNotice>
    );
  return (
    <div
      role={isPending ? 'status' : 'group'}
      aria-label={isPending ? 'Loading photos' : formatPhotoCount(message)}
      className={classNames(
        'relative grid gap-2',
        frames.length > 2 ? 'grid-cols-4' : 'max-w-68 grid-cols-2',
      )}
    >
      {frames.map((index) => (
        <div key={index} className="relative aspect-square rounded-print bg-print p-1 shadow-print">
          {previews ? (
            <Preview
              preview={previews[index] ?? null}
              description={`Photo ${index + 1} of ${photoCount} from ${formatSender(message)}`}
            />
          ) : (
            <Skeleton className="size-full" />
          )}
        </div>
      ))}
      {photoCount > frames.length && (
        <span className="absolute right-2 bottom-2 rounded-full bg-sheet px-2 text-small font-semibold tabular-nums">
          +{photoCount - frames.length} <span className="sr-only">more</span>
        </span>
      )}
    </div>
  );
}

function Preview({ preview, description }: { preview: string | null; description: string }) {
  if (preview)
    return (
      <img
        src={preview}
        alt={description}
        className="size-full animate-fade-in rounded-[2px] bg-well object-cover"
      />
    );
  return (
    <div
      role="img"
      aria-label={`${description} cannot be shown`}
      className="grid size-full place-items-center rounded-[2px] bg-well text-muted"
    >
      <ImageOff className="size-6" />
    </div>
  );
}
