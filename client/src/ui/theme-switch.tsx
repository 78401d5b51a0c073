import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { useThemeChoice, type ThemeChoice } from '../lib/theme.ts';
import { Tooltip } from './tooltip.tsx';

const choices: { value: ThemeChoice; name: string; Icon: typeof Sun }[] = [
  { value: 'system', name: 'Follow the system', Icon: Monitor },
  { value: 'light', name: 'Light', Icon: Sun },
  { value: 'dark', name: 'Dark', Icon: Moon },
];

export function ThemeSwitch() {
  const [choice, choose] = useThemeChoice();
  const group = useId();
  return (
    <fieldset className="flex w-fit rounded-full border border-hairline">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ value, name, Icon }) => (
        <Tooltip key={value} text={name}>
          <label className="relative grid size-11 place-items-center rounded-full text-muted transition-colors duration-150 hover:text-ink has-checked:bg-well has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink sm:size-9">
            <input
              type="radio"
              name={group}
              value={value}
              checked={choice === value}
              onChange={() => choose(value)}
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
