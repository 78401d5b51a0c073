import type { Options } from 'canvas-confetti';

const COLORS = ['--accent', '--sage', '--danger'];
const GOLD = '#e9b949';
/** A small burst when a drawing begins, two from the corners when it is finished. None for who wants no motion. */
export async function throwConfetti(occasion: 'begun' | 'finished'): Promise<void> {
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
