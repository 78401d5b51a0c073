import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { classNames } from '../lib/class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface IconSwitchProps<Value extends string> {
  /** What is chosen here, for screen readers. */
  label: string;
  choices: { value: Value; name: string; Icon: LucideIcon }[];
  value: Value;
  onChoose: (value: Value) => void;
  /** Of the whole. */
  className?: string;
  /** Of each choice. */
  choiceClassName?: string;
}

/** One of a few, each a picture with its name. */
export function IconSwitch<Value extends string>({
  label,
  choices,
  value: chosen,
  onChoose,
  className = 'border-hairline',
  choiceClassName = 'size-11',
}: IconSwitchProps<Value>) {
  const group = useId();
  return (
    <fieldset className={classNames('flex w-fit rounded-full border', className)}>
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, name, Icon }) => (
        <Tooltip key={value} text={name}>
          <label
            className={classNames(
              'relative grid place-items-center rounded-full text-muted transition-colors duration-150 hover:text-ink has-checked:bg-well has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink',
              choiceClassName,
            )}
          >
            <input
              type="radio"
              name={group}
              value={value}
              checked={chosen === value}
              onChange={() => onChoose(value)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            <Icon aria-hidden className="size-4" strokeWidth={1.75} />
            <span className="sr-only">{name}</span>
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
}
