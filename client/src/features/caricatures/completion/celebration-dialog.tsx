import type { Options } from 'canvas-confetti';
import { useEffect, useState } from 'react';
import { type Caricature, CARICATURE_STYLE_NAMES } from '#shared/album/caricature';
import { Dialog, DialogTitle } from '../../../ui/dialogs/dialog.tsx';
import { CompletedActions, type CompletedActionsProps } from './completed-actions.tsx';
import { BeforeAndAfter, useImageSize } from './before-and-after.tsx';

const USUAL_DURATION = '15-30 seconds';

interface CelebrationDialogProps extends Omit<CompletedActionsProps, 'caricature' | 'petName'> {
  caricature: Caricature;
  petName: string;
  isOpen: boolean;
  /** True for a new caricature, with confetti; false when an old one is viewed again. */
  isNew: boolean;
  onClose: () => void;
}

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
  // Not announced before the image is loaded.
  const isCompleted = caricatureImageUrl !== null && (size !== undefined || !isNew);
  const progressMessage = useProgressMessage(isOpen && !isCompleted);
  useConfetti(isOpen && isNew ? { id, occasion: isCompleted ? 'completed' : 'started' } : null);

  const styleName = CARICATURE_STYLE_NAMES[style].toLowerCase();
  const title = !isCompleted
    ? `${petName} is turning into a cartoon`
    : isNew
      ? `Ta-da! ${petName} is a cartoon`
      : `A caricature of ${petName}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} className="sm:max-w-3xl">
      <DialogTitle className="line-clamp-3 px-12 text-center text-title wrap-anywhere">{title}</DialogTitle>
      <BeforeAndAfter
        caricature={caricature}
        petName={petName}
        isCompleted={isCompleted}
        size={size ?? null}
      />
      <div className="text-center">
        <p role="status" className="sr-only">
          {isCompleted
            ? `The ${styleName} of ${petName} is ready.`
            : `Creating magic: the caricature of ${petName} usually takes ${USUAL_DURATION}.`}
        </p>
        <div className="grid items-center *:[grid-area:1/1]">
          {!isCompleted && (
            <div>
              <p aria-hidden key={progressMessage} className="animate-fade-in font-display text-lead">
                {progressMessage}
              </p>
              <p className="mt-1 text-balance text-muted">
                This usually takes {USUAL_DURATION}. You can close this. Your caricature will appear in the
                gallery.
              </p>
            </div>
          )}
          {/* Invisible before: the dialog keeps its height when it is completed. */}
          <div {...(!isCompleted && { 'aria-hidden': true, inert: true, className: 'invisible' })}>
            <CompletedActions caricature={caricature} petName={petName} {...actions} />
          </div>
        </div>
      </div>
    </Dialog>
  );
}

type Occasion = 'started' | 'completed';

function useConfetti(celebrated: { id: string; occasion: Occasion } | null): void {
  const { id, occasion } = celebrated ?? {};
  useEffect(() => {
    // The library may fail to load: confetti is optional.
    if (id && occasion) fireConfetti(occasion).catch(() => undefined);
  }, [id, occasion]);
}

const COLORS = ['--accent', '--sage', '--danger'];
const GOLD = '#e9b949';
/** A small burst when it starts, two from the corners when it is completed. None with reduced motion. */
async function fireConfetti(occasion: Occasion): Promise<void> {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { create } = (await import('canvas-confetti')).default;
  const canvas = document.body.appendChild(document.createElement('canvas'));
  canvas.ariaHidden = 'true';
  canvas.className = 'pointer-events-none fixed inset-0 z-50 size-full';
  // Its worker is a blob script, which the Content-Security-Policy forbids.
  const confetti = create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const style = getComputedStyle(document.documentElement);
  const colors = [GOLD, ...COLORS.map((name) => style.getPropertyValue(name))];
  try {
    await Promise.all(bursts[occasion].map(async (burst) => confetti({ colors, ...burst })));
  } finally {
    canvas.remove();
  }
}

const bursts: Record<Occasion, Options[]> = {
  started: [{ particleCount: 45, spread: 70, startVelocity: 32, origin: { y: 0.55 }, scalar: 0.9 }],
  completed: [
    { particleCount: 90, angle: 60, spread: 65, startVelocity: 52, origin: { x: 0, y: 0.75 } },
    { particleCount: 90, angle: 120, spread: 65, startVelocity: 52, origin: { x: 1, y: 0.75 } },
  ],
};

const MESSAGE_INTERVAL_MS = 3500;

const progressMessages = [
  'Creating magic...',
  'Sharpening the pencils...',
  'Looking deep into those eyes...',
  'Getting the ears just right...',
  'Finding the best side...',
  'Mixing the colors...',
  'Adding a little sparkle...',
];

function useProgressMessage(isWaiting: boolean): string {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setIndex((now) => now + 1), MESSAGE_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      setIndex(0);
    };
  }, [isWaiting]);
  return progressMessages[Math.min(index, progressMessages.length - 1)] ?? '';
}
