import type { FeaturedMemory } from '#shared/album/memory';

/** `On this day, 2 years ago` */
export function formatReason({ reason, yearsAgo }: Pick<FeaturedMemory, 'reason' | 'yearsAgo'>): string {
  if (reason === 'loved') return 'One you love';
  if (reason === 'recent' || yearsAgo === null) return 'Recently added';
  return `On this day, ${yearsAgo === 1 ? 'a year' : `${yearsAgo} years`} ago`;
}
