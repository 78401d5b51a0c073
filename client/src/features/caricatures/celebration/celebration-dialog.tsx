import { useEffect } from 'react';
import { CARICATURE_STYLE_NAMES, type Caricature } from '#shared/caricature';
import { Dialog, DialogTitle } from '../../../ui/dialog.tsx';
import { throwConfetti } from './confetti.ts';
import { FinishedActions, type FinishedActionsProps } from './finished-actions.tsx';
import { PrintPair } from './print-pair.tsx';
import { useImageSize } from './use-image-size.ts';
import { useWaitingWords } from './use-waiting-words.ts';

interface CelebrationDialogProps extends Omit<FinishedActionsProps, 'caricature' | 'petName'> {
  caricature: Caricature;
  petName: string;
  isOpen: boolean;
  /** It is new; otherwise it is only looked at once more. */
  isParty: boolean;
  onClose: () => void;
}

/** A photo beside the cartoon that is being made of it; and the cartoon, as soon as it can be seen. */
export function CelebrationDialog({
  caricature,
  petName,
  isOpen,
  isParty,
  onClose,
  ...actions
}: CelebrationDialogProps) {
  const { id, style, caricatureImageUrl } = caricature;
  const size = useImageSize(caricatureImageUrl);
  // Nobody is told of what is not there to be seen.
  const isFinished = caricatureImageUrl !== null && (size !== undefined || !isParty);
  const words = useWaitingWords(isOpen && !isFinished);
  useConfetti(isOpen && isParty ? { id, occasion: isFinished ? 'finished' : 'begun' } : null);

  const styleName = CARICATURE_STYLE_NAMES[style].toLowerCase();
  const title = !isFinished
    ? `${petName} is turning into a cartoon`
    : isParty
      ? `Ta-da! ${petName} is a cartoon`
      : `A caricature of ${petName}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} className="sm:max-w-3xl">
      <DialogTitle className="line-clamp-3 px-12 text-center text-title wrap-anywhere">{title}</DialogTitle>
      <PrintPair caricature={caricature} petName={petName} isFinished={isFinished} size={size ?? null} />
      <div className="text-center">
        <p role="status">
          {isFinished ? (
            <span className="sr-only">
              The {styleName} of {petName} is ready.
            </span>
          ) : (
            <span className="sr-only">
              Creating magic: {petName} is being drawn. This usually takes 15-30 seconds.
            </span>
          )}
        </p>
        {isFinished ? (
          <FinishedActions caricature={caricature} petName={petName} {...actions} />
        ) : (
          <div>
            <p aria-hidden key={words} className="animate-fade-in font-display text-lead">
              {words}
            </p>
            <p className="mt-1 text-balance text-muted">
              This usually takes 15-30 seconds. You can close this. Your caricature will appear in the
              gallery.
            </p>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Once for each occasion. */
function useConfetti(party: { id: string; occasion: 'begun' | 'finished' } | null): void {
  const { id, occasion } = party ?? {};
  useEffect(() => {
    // Without it, as when it can't be fetched, the news are as good.
    if (id && occasion) throwConfetti(occasion).catch(() => undefined);
  }, [id, occasion]);
}
