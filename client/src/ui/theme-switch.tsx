import { Monitor, Moon, Sun } from 'lucide-react';
import { useThemeChoice } from '../lib/theme.ts';
import { IconSwitch } from './icon-switch.tsx';

const choices = [
  { value: 'system' as const, name: 'Follow the system', Icon: Monitor },
  { value: 'light' as const, name: 'Light', Icon: Sun },
  { value: 'dark' as const, name: 'Dark', Icon: Moon },
];

export function ThemeSwitch() {
  const [choice, choose] = useThemeChoice();
  return (
    <IconSwitch
      label="Theme"
      choices={choices}
      value={choice}
      onChoose={choose}
      choiceClassName="size-11 sm:size-9"
    />
  );
}
