import { Monitor, Moon, Sun } from 'lucide-react';
import { useThemeChoice } from '../lib/theme.ts';
import { Segments } from './radio-group.tsx';

const choices = [
  { value: 'system' as const, name: 'Follow the system', Icon: Monitor },
  { value: 'light' as const, name: 'Light', Icon: Sun },
  { value: 'dark' as const, name: 'Dark', Icon: Moon },
];

export function ThemeSwitch() {
  const [choice, choose] = useThemeChoice();
  return (
    <Segments
      label="Theme"
      choices={choices}
      value={choice}
      onChoose={choose}
      className="border-hairline"
      choiceClassName="size-11 sm:size-9"
    />
  );
}
