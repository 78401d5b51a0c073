import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, MouseEvent } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Spinner } from '../loading/spinner.tsx';

const variants = cva(
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-full font-semibold whitespace-nowrap ' +
    'transition-[background-color,border-color,color,transform] duration-150 active:translate-y-px',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent hover:bg-accent-deep',
        secondary: 'border border-edge text-ink hover:border-ink hover:bg-sheet',
        destructive: 'bg-destructive text-on-destructive hover:bg-destructive-deep',
        quiet:
          'text-ink underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent',
      },
      size: { regular: 'px-5 text-body', small: 'px-2 text-small' },
    },
    defaultVariants: { variant: 'primary', size: 'regular' },
  },
);

interface ButtonLook extends VariantProps<typeof variants> {
  className?: string | undefined;
}

/** For links that look like a button. */
export function buttonClasses({ className, ...look }: ButtonLook = {}): string {
  return classNames(variants(look), className);
}

interface ButtonProps extends ComponentProps<'button'>, Omit<ButtonLook, 'className'> {
  /** Shown while pending: the button keeps the focus, but ignores clicks. */
  pendingText?: string;
  isPending?: boolean;
}

export function Button({
  variant,
  size,
  pendingText,
  isPending = false,
  'aria-disabled': isDisabled,
  className,
  onClick,
  ...props
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...props}
      onClick={press}
      aria-disabled={isPending || isDisabled || undefined}
      className={buttonClasses({
        variant,
        size,
        className: classNames(isPending && 'cursor-progress opacity-80', className),
      })}
    >
      {isPending && <Spinner />}
      {isPending ? (pendingText ?? props.children) : props.children}
    </button>
  );
}
