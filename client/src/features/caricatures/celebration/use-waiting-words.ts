import { useEffect, useState } from 'react';

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
export function useWaitingWords(isWaiting: boolean): string {
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
