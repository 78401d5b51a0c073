import { Button } from '../../ui/buttons/button.tsx';
import { formatMoment } from '../../lib/dates.ts';
import { groupByShare, type ReceivedPhoto } from './received-photos.ts';
import { ReceivedThumbnails } from './received-thumbnails.tsx';

interface ShareQuestionsProps {
  photos: readonly ReceivedPhoto[];
  /** `wait here` */
  waiting: string;
  addText: (count: number) => string;
  onAdd: (share: ReceivedPhoto[]) => void;
  onDiscard: (share: ReceivedPhoto[]) => void;
}

/** Each share is added or discarded on its own: another site may have sent one of them. */
export function ShareQuestions({ photos, waiting, addText, onAdd, onDiscard }: ShareQuestionsProps) {
  const shares = groupByShare(photos);
  return shares.map((share, index) => {
    const [{ shareId, receivedAt } = { shareId: '', receivedAt: 0 }] = share;
    const text =
      share.length === 1
        ? `1 shared photo ${waiting.replace('wait', 'waits')}. Add it to your album?`
        : `${share.length} shared photos ${waiting}. Add them to your album?`;
    return (
      <div key={shareId} role="group" aria-label={text} className="space-y-4">
        <p className="text-lead">{text}</p>
        {shares.length > 1 && (
          <p className="text-small text-muted">Shared {formatMoment(new Date(receivedAt).toISOString())}</p>
        )}
        <ReceivedThumbnails photos={share} />
        <div className="flex flex-wrap gap-3">
          <Button variant={index === 0 ? 'primary' : 'secondary'} onClick={() => onAdd(share)}>
            {addText(share.length)}
          </Button>
          <Button variant="quiet" onClick={() => onDiscard(share)}>
            Discard
          </Button>
        </div>
      </div>
    );
  });
}
