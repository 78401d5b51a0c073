import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Tooltip } from '../tooltip.tsx';

interface RadioGroupProps<Value extends string, Choice> {
  /** For screen readers; `labelledBy` is the id of a visible label. */
  label?: string;
  labelledBy?: string;
  choices: readonly Choice[];
  value: Value | undefined;
  onChoose: (value: Value) => void;
  className?: string;
  choiceClassName?: string;
}

interface RadioCard<Value extends string> {
  value: Value;
  content: ReactNode;
  /** Names a card whose content has no text. */
  title?: string;
  tooltip?: string | undefined;
}

export function RadioCards<Value extends string>({
  label,
  labelledBy,
  choices,
  value: chosen,
  onChoose,
  className,
  choiceClassName,
}: RadioGroupProps<Value, RadioCard<Value>>) {
  const group = useId();
  return (
    // Not a fieldset: a grid inside one does not support scroll snapping.
    <div role="radiogroup" aria-label={label} aria-labelledby={labelledBy} className={className}>
      {choices.map(({ value, content, title, tooltip }) => {
        const card = (
          <label
            key={value}
            title={title}
            className={classNames(
              'relative has-focus-visible:outline-2 has-focus-visible:outline-ink',
              choiceClassName,
            )}
          >
            <input
              type="radio"
              name={group}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
              aria-label={title}
              className="absolute inset-0 z-10 cursor-pointer appearance-none rounded-[inherit] outline-none"
            />
            {content}
          </label>
        );
        return tooltip ? (
          <Tooltip key={value} text={tooltip}>
            {card}
          </Tooltip>
        ) : (
          card
        );
      })}
    </div>
  );
}

interface Segment<Value extends string> {
  value: Value;
  name: string;
  /** Shown instead of the name. */
  Icon?: LucideIcon;
}

export function Segments<Value extends string>({
  choices,
  className,
  choiceClassName,
  ...props
}: RadioGroupProps<Value, Segment<Value>>) {
  return (
    <RadioCards
      {...props}
      className={classNames('flex w-fit rounded-full border border-edge', className)}
      choiceClassName={classNames(
        'grid h-10.5 place-items-center rounded-full text-muted transition-colors duration-150 hover:text-ink has-checked:bg-well has-checked:text-ink',
        choiceClassName,
      )}
      choices={choices.map(({ value, name, Icon }) => ({
        value,
        content: Icon ? (
          <>
            <Icon className="size-4" />
            <span className="sr-only">{name}</span>
          </>
        ) : (
          name
        ),
        tooltip: Icon && name,
      }))}
    />
  );
}
