import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

const variants = cva('grid size-11 shrink-0 place-items-center rounded-full transition-colors duration-150', {
  variants: {
    tone: {
      muted: 'text-muted hover:bg-well hover:text-ink',
      danger: 'text-muted hover:bg-well hover:text-danger',
      ink: 'text-ink not-aria-disabled:hover:bg-well aria-disabled:cursor-default aria-disabled:text-edge',
      outlined: 'border border-edge text-ink hover:border-ink',
      /** On a photo: smaller than what can be pressed. */
      onPhoto: 'bg-print/85 bg-clip-content p-1.5 text-ink hover:bg-print',
      overlay:
        'pointer-events-auto bg-paper/75 text-ink hover:bg-sheet aria-disabled:cursor-default aria-disabled:opacity-0 aria-disabled:focus-visible:opacity-60',
    },
  },
  defaultVariants: { tone: 'muted' },
});

export interface IconButtonProps extends ComponentProps<'button'>, VariantProps<typeof variants> {
  name: string;
}

export function IconButton({ name, tone, className, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-label={name}
      className={classNames(variants({ tone }), className)}
    />
  );
}
