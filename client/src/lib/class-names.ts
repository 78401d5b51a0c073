import { extendTailwindMerge } from 'tailwind-merge';

/**
 * Joins the class names that apply; of two that set the same property the last one wins. The theme's own names have to
 * be listed, or a size like text-small would count as a color and go when text-muted follows.
 */
export const classNames = extendTailwindMerge({
  extend: {
    theme: {
      text: ['small', 'body', 'lead', 'title', 'display'],
      radius: ['print', 'field', 'sheet'],
      shadow: ['print', 'lifted'],
      ease: ['settle'],
      animate: ['fade-in', 'fade-out', 'rise', 'sink', 'breathe'],
    },
  },
});
