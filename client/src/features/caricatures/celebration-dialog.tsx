import type { Options } from 'canvas-confetti';
import { useEffect, useState } from 'react';
import { type Caricature, CARICATURE_STYLE_NAMES } from '#shared/caricature';
import { Dialog, DialogTitle } from '../../ui/dialog.tsx';
import { CompletedActions, type CompletedActionsProps } from './completed-actions.tsx';
import { BeforeAndAfter, useImageSize } from './before-and-after.tsx';

interface CelebrationDialogProps extends Omit<CompletedActionsProps, 'caricature' | 'petName'> {
  caricature: Caricature;
  petName: string;
  isOpen: boolean;
  /** It is new; otherwise it is only looked at once more. */
  isNew: boolean;
  onClose: () => void;
}

/** A photo beside the cartoon that is being made of it; and the cartoon, as soon as it can be seen. */
export function CelebrationDialog({
  caricature,
  petName,
  isOpen,
  isNew,
  onClose,
  ...actions
}: CelebrationDialogProps) {
  const { id, style, caricatureImageUrl } = caricature;
  const size = useImageSize(caricatureImageUrl);
  // Nobody is told of what is not there to be seen.
  const isFinished = caricatureImageUrl !== null && (size !== undefined || !isNew);
  const words = useWaitingWords(isOpen && !isFinished);
  useConfetti(isOpen && isNew ? { id, occasion: isFinished ? 'finished' : 'begun' } : null);

  const styleName = CARICATURE_STYLE_NAMES[style].toLowerCase();
  const title = !isFinished
    ? `${petName} is turning into a cartoon`
    : isNew
      ? `Ta-da! ${petName} is a cartoon`
      : `A caricature of ${petName}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} className="sm:max-w-3xl">
      <DialogTitle className="line-clamp-3 px-12 text-center text-title wrap-anywhere">{title}</DialogTitle>
      <BeforeAndAfter caricature={caricature} petName={petName} isFinished={isFinished} size={size ?? null} />
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
          <CompletedActions caricature={caricature} petName={petName} {...actions} />
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

const COLORS = ['--accent', '--sage', '--danger'];
const GOLD = '#e9b949';
/** A small burst when it starts, two from the corners when it is completed. None with reduced motion. */
async function throwConfetti(occasion: 'begun' | 'finished'): Promise<void> {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { create } = (await import('canvas-confetti')).default;
  const canvas = document.body.appendChild(document.createElement('canvas'));
  canvas.ariaHidden = 'true';
  // Above a dialog.
  canvas.className = 'pointer-events-none fixed inset-0 z-50 size-full';
  // Its own worker would need a script from a blob, which the page's policy refuses.
  const confetti = create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const style = getComputedStyle(document.documentElement);
  const colors = [GOLD, ...COLORS.map((name) => style.getPropertyValue(name))];
  try {
    await Promise.all(bursts[occasion].map(async (burst) => confetti({ colors, ...burst })));
  } finally {
    canvas.remove();
  }
}

const bursts: Record<'begun' | 'finished', Options[]> = {
  begun: [{ particleCount: 45, spread: 70, startVelocity: 32, origin: { y: 0.55 }, scalar: 0.9 }],
  finished: [
    { particleCount: 90, angle: 60, spread: 65, startVelocity: 52, origin: { x: 0, y: 0.75 } },
    { particleCount: 90, angle: 120, spread: 65, startVelocity: 52, origin: { x: 1, y: 0.75 } },
  ],
};

const EACH_MS = 3500;

const words = [
  'Creating magic...',
  'Sharpening the pencils...',
  'Looking deep into those eyes...',
  'Getting the ears just right...',
  'Finding the best side...',
  'Mixing the colors...',
  'Adding a little sparkle...',
];

/** Something new to read while it is being drawn; the last words stay. */
function useWaitingWords(isWaiting: boolean): string {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setIndex((now) => now + 1), EACH_MS);
    return () => {
      clearInterval(timer);
      setIndex(0);
    };
  }, [isWaiting]);
  return words[Math.min(index, words.length - 1)] ?? '';
}
